import { posix } from "node:path";
import { type ShellWord, UNKNOWN } from "./shell-reading.ts";

/** `which x`, `command -v x`, `type -P x` */
const LOOKS_UP_PROGRAM =
  /^(?:which|whence|where|whereis|command|type)(?:\s+-{1,2}[a-zA-Z]+)*\s+["']?([\w./@+-]{1,200})["']?(?:\s|$)/;

/** Programs that print a path, or a part of it. */
const PATH_PROGRAMS: Readonly<Record<string, (path: string) => string>> = {
  dirname: (path) => posix.dirname(path),
  basename: (path) => posix.basename(path),
  realpath: (path) => path,
  grealpath: (path) => path,
  readlink: (path) => path,
  greadlink: (path) => path,
};

export function printsPaths(name: string): boolean {
  return Object.hasOwn(PATH_PROGRAMS, name);
}

/** What such a program may print for these words. */
export function printedPaths(name: string, words: readonly ShellWord[]): readonly string[] {
  const paths = words.flatMap(({ text, guesses = [] }) => [text, ...guesses]);
  return paths.filter((path) => !path.startsWith("-") && !path.includes(UNKNOWN)).map(PATH_PROGRAMS[name]!);
}

/** The program that a command looks up. */
export function lookedUpProgram(command: string): string | undefined {
  return LOOKS_UP_PROGRAM.exec(command)?.[1];
}
