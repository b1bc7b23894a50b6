import { giveUp } from "../work.ts";
import { plainPath, printedText, writtenTexts } from "./printed-text.ts";
import type { ShellCommand, ShellRedirect } from "./shell-reading.ts";

/** Texts by the file that a script wrote them to. */
type Written = Map<string, readonly string[]>;

/** The key for what a script feeds to its own descriptors and functions, for a shell to read later. */
export const FED_INPUT = "&fed";

/**
 * What becomes a script for later commands: text written to a file, what `exec` or a function is fed, and copies of
 * such a file.
 */
export function recordWrittenScript(command: ShellCommand, written: Written, limit: number): void {
  const add = (file: string, texts: readonly string[]): void => {
    const allTexts = [...new Set([...(written.get(file) ?? []), ...texts])];
    if (allTexts.length > limit) giveUp();
    if (allTexts.length > 0) written.set(file, allTexts);
  };
  for (const { path, text } of writtenTexts(command)) add(path, [text]);
  if (command.name === "exec" || command.isOwnFunction) {
    const [piped] = command.pipedFrom;
    const printed = piped !== undefined && command.pipedFrom.length === 1 ? printedText(piped) : undefined;
    add(FED_INPUT, [
      ...command.redirects.flatMap(({ text }) => text ?? []),
      ...((printed ?? "") ? [printed!] : []),
    ]);
  }
  if (!/^(?:cp|mv|ln|install)$/.test(command.name) || written.size === 0) return;
  const words = command.args.filter((word) => !/^-./.test(word.text)).map((word) => plainPath(word.text));
  const [source = "", target] = words;
  const texts = written.get(source);
  if (words.length === 2 && texts !== undefined) add(target!, texts);
}

const RUNS_FILE =
  /^(?:python|node|perl|ruby|php|lua|luajit|bun|deno|tclsh|expect|raku|elixir|julia|rscript|pypy|ipython|tsx|ts-node|awk|gawk|groovy|guile|osascript)[\d.]*$/i;
const DEFAULT_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  gmake: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile"],
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
};

/** Running a file that the script wrote before counts as reading its contents from stdin. */
export function withWrittenScript(
  command: ShellCommand,
  written: ReadonlyMap<string, readonly string[]>,
): ShellCommand {
  if (written.size === 0) return command;
  const { name, args } = command;
  const defaultFiles = Object.hasOwn(DEFAULT_FILES, name) ? DEFAULT_FILES[name]! : [];
  if (!RUNS_FILE.test(name) && defaultFiles.length === 0) return command;
  const files = [...defaultFiles, ...args.map((word) => plainPath(word.text))];
  const inputs = files
    .flatMap((file) => written.get(file) ?? [])
    .map((text): ShellRedirect => ({ operator: "<<", target: null, text, variables: [] }));
  return inputs.length === 0 ? command : { ...command, redirects: [...command.redirects, ...inputs] };
}
