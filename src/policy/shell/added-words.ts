import { giveUp } from "../work.ts";
import { printedFileWords } from "./find-commands.ts";
import { printsPlainWords } from "./printed-text.ts";
import { literalWord, type ShellCommand, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import { hereText, readsStdinFromFile } from "./start-shell.ts";
import type { ConstructContext } from "./walk.ts";
import type { Unwrapped } from "./wrappers.ts";

const MAX_ADDED_WORDS = 200;
const GLOB_FLAGS = { isGlob: true, splitsNames: true } as const;

/** A command that gets more words from stdin, or from after `:::`: one per value of the placeholder. */
export function withAddedWords(
  command: ShellCommand,
  found: Unwrapped<ShellWord>,
  construct: ConstructContext,
): readonly (readonly ShellWord[])[] {
  const placeholder = found.placeholder;
  const usesPlaceholder =
    placeholder !== undefined && found.inner.some((word) => word.text.includes(placeholder));
  // With a placeholder that does not occur, `xargs` adds nothing.
  const addsNothing = placeholder !== undefined && !usesPlaceholder && found.added.length === 0;
  if (addsNothing && command.name === "xargs") return [found.inner];
  const endsAtDelimiter = found.own.some((word) => /^(?:-[rtx]*[0d]|--null|--delimiter)/.test(word.text));
  const takesLines = usesPlaceholder || endsAtDelimiter;
  const stdinText = hereText(command) ?? construct.stdin;
  // With another delimiter, or another source than the pipe, the words are unknown.
  const isUnknown = hasOtherDelimiter(found.own) || readsStdinFromFile(command);
  // xargs itself reads quotes and backslashes, and some shells do not print text verbatim.
  const isPlain =
    stdinText !== undefined &&
    !/["'\\]/.test(stdinText) &&
    !endsAtDelimiter &&
    construct.pipedFrom.every(printsPlainWords);
  // A shell prints the names that a glob matched, and they are split at their spaces.
  const isFromGlob = construct.pipedFrom.some(({ args }) => args.some((word) => word.isGlob));
  const added =
    found.added.length > 0
      ? found.added
      : isUnknown
        ? [{ ...literalWord(UNKNOWN), isSplit: true }]
        : stdinText === undefined || stdinText.includes(UNKNOWN)
          ? (printedFileWords(construct.pipedFrom) ?? [literalWord(UNKNOWN)])
          : stdinText
              .split(takesLines ? "\n" : /\s+/)
              .filter((text) => text !== "")
              .map((text) => literalWord(takesLines ? text.trimStart() : text.replace(/["'\\]/g, "")))
              .map((word) => (isPlain ? word : { ...word, isSplit: true }))
              .map((word) => (isFromGlob && /[*?[]/.test(word.text) ? { ...word, ...GLOB_FLAGS } : word));
  if (!usesPlaceholder) return [[...found.inner, ...added]];
  if (added.length > MAX_ADDED_WORDS) giveUp();
  return added.map((value) =>
    found.inner.map((word) => {
      if (word.text === placeholder) return value;
      if (!word.text.includes(placeholder)) return word;
      const text = word.text.replaceAll(placeholder, () => value.text);
      return { ...word, text, isGlob: word.isGlob || value.isGlob, isSplit: true };
    }),
  );
}

/** `-d x`; names end at newlines and NUL anyway. */
function hasOtherDelimiter(own: readonly ShellWord[]): boolean {
  return own.some(({ text }, at) => {
    const [, attached] = /^(?:-[rtx]*d|--d[a-z]*(?:=|$))(.*)$/s.exec(text) ?? [];
    if (attached === undefined) return false;
    const delimiter = attached !== "" || text.includes("=") ? attached : own[at + 1]?.text;
    return delimiter === undefined || !/^(?:\\[n0]|\n)$/.test(delimiter);
  });
}
