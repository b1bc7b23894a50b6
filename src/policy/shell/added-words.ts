import { giveUp } from "../work.ts";
import { printedFileWords } from "./find-commands.ts";
import { printsPlainWords } from "./printed-text.ts";
import { literalWord, type ShellCommand, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import { hereText, readsStdinFromFile } from "./start-shell.ts";
import type { ConstructContext } from "./walk.ts";
import type { Unwrapped } from "./wrappers.ts";

const MAX_LINES = 200;
const FOUND = { isGlob: true, splitsNames: true } as const;

/** A command that gets more words from stdin, or from after `:::`: one per value of the placeholder. */
export function withAddedWords(
  command: ShellCommand,
  found: Unwrapped<ShellWord>,
  inside: ConstructContext,
): readonly (readonly ShellWord[])[] {
  const mark = found.placeholder;
  const isMarked = mark !== undefined && found.inner.some((word) => word.text.includes(mark));
  // With a placeholder that does not occur, `xargs` adds nothing.
  const addsNothing = mark !== undefined && !isMarked && found.added.length === 0;
  if (addsNothing && command.name === "xargs") return [found.inner];
  const endsAtDelimiter = found.own.some((word) => /^(?:-[rtx]*[0d]|--null|--delimiter)/.test(word.text));
  const takesLines = isMarked || endsAtDelimiter;
  const given = hereText(command) ?? inside.stdin;
  // With another delimiter, or another source than the pipe, the words are unknown.
  const isUnknown = hasOtherDelimiter(found.own) || readsStdinFromFile(command);
  // xargs itself reads quotes and backslashes, and some shells do not print text verbatim.
  const isPlain =
    given !== undefined &&
    !/["'\\]/.test(given) &&
    !endsAtDelimiter &&
    inside.pipedFrom.every(printsPlainWords);
  // A shell prints the names that a glob matched, and they are split at their spaces.
  const isFound = inside.pipedFrom.some(({ args }) => args.some((word) => word.isGlob));
  const added =
    found.added.length > 0
      ? found.added
      : isUnknown
        ? [{ ...literalWord(UNKNOWN), isSplit: true }]
        : given === undefined || given.includes(UNKNOWN)
          ? (printedFileWords(inside.pipedFrom) ?? [literalWord(UNKNOWN)])
          : given
              .split(takesLines ? "\n" : /\s+/)
              .filter((text) => text !== "")
              .map((text) => literalWord(takesLines ? text.trimStart() : text.replace(/["'\\]/g, "")))
              .map((word) => (isPlain ? word : { ...word, isSplit: true }))
              .map((word) => (isFound && /[*?[]/.test(word.text) ? { ...word, ...FOUND } : word));
  if (!isMarked) return [[...found.inner, ...added]];
  if (added.length > MAX_LINES) giveUp();
  return added.map((each) =>
    found.inner.map((word) => {
      if (word.text === mark) return each;
      if (!word.text.includes(mark)) return word;
      const text = word.text.replaceAll(mark, () => each.text);
      return { ...word, text, isGlob: word.isGlob || each.isGlob, isSplit: true };
    }),
  );
}

/** `-d x`; names end at newlines and NUL anyway. */
function hasOtherDelimiter(own: readonly ShellWord[]): boolean {
  return own.some(({ text }, at) => {
    const [, attached] = /^(?:-[rtx]*d|--d[a-z]*(?:=|$))(.*)$/s.exec(text) ?? [];
    if (attached === undefined) return false;
    const sign = attached !== "" || text.includes("=") ? attached : own[at + 1]?.text;
    return sign === undefined || !/^(?:\\[n0]|\n)$/.test(sign);
  });
}
