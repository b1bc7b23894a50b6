import { stdinText } from "./killed-processes.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { spend } from "./work.ts";

/** `1e ls`, `s/x/ls/e`. */
export function commandsRunBySed(command: ShellCommand): readonly string[] {
  return [...command.args.map((word) => word.text), stdinText(command)].flatMap((text) => [
    ...[...text.matchAll(/(?:^|[;{}!$\d/\s])e\s+([^\n]+)/g)].map(([, code = ""]) => code),
    ...[...text.matchAll(/s(?=[^\w\s\\])/g)].flatMap(({ index }) => replacementRun(text, index)),
  ]);
}

/** The replacement of `s/x/y/e`, which is run. */
function replacementRun(text: string, start: number): readonly string[] {
  const delimiter = text[start + 1]!;
  const middle = endOfPart(text, start + 2, delimiter);
  const end = endOfPart(text, middle + 1, delimiter);
  return end < text.length && /^[a-zA-Z\d]*e/.test(text.slice(end + 1, end + 20))
    ? [text.slice(middle + 1, end).replace(/\\(.)/g, "$1")]
    : [];
}

function endOfPart(text: string, from: number, delimiter: string): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter) at += text[at] === "\\" ? 2 : 1;
  spend(at - from);
  return at;
}
