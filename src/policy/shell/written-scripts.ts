import { giveUp } from "../work.ts";
import { plainPath, printedText, textsWritten } from "./printed-text.ts";
import type { ShellCommand, ShellRedirect } from "./shell-reading.ts";

/** Texts by the file that a script wrote them into. */
type Written = Map<string, readonly string[]>;

/** Under this name stands what a script feeds to its own descriptors and functions, for a shell to read later. */
export const FED = "&fed";

/** What of a command becomes a script for later ones: what it writes into a file, what `exec` or a function is fed, and copies of such a file. */
export function noteWritten(command: ShellCommand, written: Written, limit: number): void {
  const add = (file: string, texts: readonly string[]): void => {
    const all = [...new Set([...(written.get(file) ?? []), ...texts])].slice(0, limit);
    if (all.length > 0) written.set(file, all);
  };
  for (const { path, text } of textsWritten(command)) {
    const before = written.get(path) ?? [];
    if (!before.includes(text) && before.length >= limit) giveUp();
    add(path, [text]);
  }
  if (command.name === "exec" || command.isOwnFunction) {
    const [piped] = command.pipedFrom;
    const printed = piped !== undefined && command.pipedFrom.length === 1 ? printedText(piped) : undefined;
    add(FED, [
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
const MADE_BY: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  gmake: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile"],
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
};

/** A program that runs a file which the script wrote before is as if it were fed what stands in it. */
export function withWritten(
  command: ShellCommand,
  written: ReadonlyMap<string, readonly string[]>,
): ShellCommand {
  if (written.size === 0) return command;
  const { name, args } = command;
  const own = Object.hasOwn(MADE_BY, name) ? MADE_BY[name]! : [];
  if (!RUNS_FILE.test(name) && own.length === 0) return command;
  const files = [...own, ...args.map((word) => plainPath(word.text))];
  const fed = files
    .flatMap((file) => written.get(file) ?? [])
    .map((text): ShellRedirect => ({ operator: "<<", target: null, text, variables: [] }));
  return fed.length === 0 ? command : { ...command, redirects: [...command.redirects, ...fed] };
}
