import { giveUp } from "../work.ts";
import { wordsPrinted } from "./find-commands.ts";
import { printsPlainWords } from "./printed-text.ts";
import { literalWord, type ShellCommand, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import { isFedByFile, textFedTo } from "./start-shell.ts";
import type { Inside } from "./walk.ts";
import type { Unwrapped } from "./wrappers.ts";

const MOST_LINES = 200;
const FOUND = { isGlob: true, splitsNames: true } as const;

/** A command that gets more words from its input, or from those after `:::`: one for each placeholder's value. */
export function withInput(
  command: ShellCommand,
  found: Unwrapped<ShellWord>,
  inside: Inside,
): readonly (readonly ShellWord[])[] {
  const mark = found.placeholder;
  const isMarked = mark !== undefined && found.inner.some((word) => word.text.includes(mark));
  // With a mark that stands nowhere, `xargs` adds nothing.
  const addsNothing = mark !== undefined && !isMarked && found.added.length === 0;
  if (addsNothing && command.name === "xargs") return [found.inner];
  const endsAtDelimiter = found.own.some((word) => /^(?:-[rtx]*[0d]|--null|--delimiter)/.test(word.text));
  const takesLines = isMarked || endsAtDelimiter;
  const given = textFedTo(command) ?? inside.stdin;
  // Cut at another sign, or fed by something else than what is piped, they are words that nobody knows.
  const isUnknown = isCutElsewhere(found.own) || isFedByFile(command);
  // Quotes and backslashes are read by xargs itself, and some shells print other text than they are given.
  const isPlain =
    given !== undefined &&
    !/["'\\]/.test(given) &&
    !endsAtDelimiter &&
    inside.pipedFrom.every(printsPlainWords);
  // What a shell printed are the names that it found, and they are cut at their blanks.
  const isFound = inside.pipedFrom.some(({ args }) => args.some((word) => word.isGlob));
  const added =
    found.added.length > 0
      ? found.added
      : isUnknown
        ? [{ ...literalWord(UNKNOWN), isSplit: true }]
        : given === undefined || given.includes(UNKNOWN)
          ? (wordsPrinted(inside.pipedFrom) ?? [literalWord(UNKNOWN)])
          : given
              .split(takesLines ? "\n" : /\s+/)
              .filter((text) => text !== "")
              .map((text) => literalWord(takesLines ? text.trimStart() : text.replace(/["'\\]/g, "")))
              .map((word) => (isPlain ? word : { ...word, isSplit: true }))
              .map((word) => (isFound && /[*?[]/.test(word.text) ? { ...word, ...FOUND } : word));
  if (!isMarked) return [[...found.inner, ...added]];
  if (added.length > MOST_LINES) giveUp();
  return added.map((each) =>
    found.inner.map((word) => {
      if (word.text === mark) return each;
      if (!word.text.includes(mark)) return word;
      const text = word.text.replaceAll(mark, () => each.text);
      return { ...word, text, isGlob: word.isGlob || each.isGlob, isSplit: true };
    }),
  );
}

/** `-d x`; lines and NUL are where names end anyway. */
function isCutElsewhere(own: readonly ShellWord[]): boolean {
  return own.some(({ text }, at) => {
    const [, attached] = /^(?:-[rtx]*d|--d[a-z]*(?:=|$))(.*)$/s.exec(text) ?? [];
    if (attached === undefined) return false;
    const sign = attached !== "" || text.includes("=") ? attached : own[at + 1]?.text;
    return sign === undefined || !/^(?:\\[n0]|\n)$/.test(sign);
  });
}
