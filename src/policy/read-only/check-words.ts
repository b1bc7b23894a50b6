import { posix } from "node:path";
import { isInside, type Locations } from "../locations.ts";
import { isPublicVariable } from "../shell/plain-variables.ts";
import { isKnown, type ShellCommand, type ShellWord, type Starter } from "../shell/shell-reading.ts";
import { expandGlob } from "./globs.ts";
import type { WordKind } from "./grammar.ts";
import { mayReadFile, mayReadTree, mayStatPath, type TreeReadOptions } from "./readable-files.ts";

/** Whether a word is what the grammar says it is, and may be revealed. */
export function matchesKind(
  word: ShellWord,
  kind: WordKind,
  command: ShellCommand,
  locations: Locations,
  options: TreeReadOptions = {},
): boolean {
  if (!word.variables.every(isPublicVariable) || word.isSplit) return false;
  if (word.holdsNumber && !(kind instanceof RegExp) && kind !== "text") return false;
  // Zsh does not split a variable's value: with its spaces it is one name.
  if (word.splitsNames && !word.isGlob && !(kind instanceof RegExp) && kind !== "text") return false;
  if (isOtherGlob(word) && !(kind instanceof RegExp) && kind !== "text") return false;
  if (word.isProcess) return !(kind instanceof RegExp) && kind !== "text";
  if (word.found !== undefined) return matchesFoundFiles(word, kind, command, locations);
  if (!isKnown(word)) return kind === "text";
  const texts = word.isGlob ? expandGlob(word, locations, command.cwds) : [];
  if (texts === null || texts.some((text) => /^-/.test(text))) return false;
  if (word.splitsNames && texts.some((text) => /[\s*?[]/.test(text))) return false;
  // A glob without matches stays as it is; one with matches is replaced by files.
  const mayShow = (text: string): boolean => {
    if (kind === "name" || kind === "entry") return mayStatPath(text, locations, command.cwds);
    if (kind === "tree") return mayReadTree(text, locations, command.cwds, options);
    return mayReadFile(text, locations, command.cwds);
  };
  const mayShowMatch = (text: string): boolean =>
    kind === "entry" ? mayStatPath(posix.dirname(text), locations, command.cwds) : mayShow(text);
  if (!texts.every(mayShowMatch)) return false;
  // Several words instead of one would turn the rest into operands.
  if (kind === "text") return texts.length <= 1;
  return kind instanceof RegExp ? texts.length === 0 && kind.test(word.text) : mayShow(word.text);
}

/** `.en##v` is `.env` where zsh has extended globs enabled. */
function isOtherGlob({ text }: ShellWord): boolean {
  return /(?!^)#/.test(text);
}

/** For files found by `find`: their names may be shown, and their contents if none of them is secret. */
function matchesFoundFiles(
  { found }: ShellWord,
  kind: WordKind,
  command: ShellCommand,
  locations: Locations,
): boolean {
  const { folder, names, isBare } = found!;
  const splitsNames = command.starters.some(splitsAtBlanks);
  if (
    /^-/.test(folder) ||
    (splitsNames && SPLITS_NAME.test(folder)) ||
    (isBare && !hasNoOptionLikeNames(command, locations))
  )
    return false;
  if (kind === "name" || kind === "entry") return mayStatPath(folder, locations, command.cwds);
  if ((kind !== "read" && kind !== "tree") || /[*?[]/.test(folder)) return false;
  return mayReadTree(folder, locations, command.cwds, {
    followsLinks: true,
    // For a tree these are the names of its folder, not of the files in it.
    only: kind === "tree" ? null : names,
    isSplitAtBlanks: splitsNames,
  });
}

/** What `xargs` treats as the end of a name, or as a quote. */
const SPLITS_NAME = /[\s"'\\]/;

/** `xargs` splits a name at a space, unless an option sets the delimiter. */
function splitsAtBlanks({ name, words }: Starter): boolean {
  return name === "xargs" && !words.some((word) => /^(?:-[rtx]*0|--null$)/.test(word.text));
}

/** Whether a word is a single operand, not one per matching file. */
export function isOneWord(word: ShellWord, command: ShellCommand, locations: Locations): boolean {
  if (word.found !== undefined || word.isSplit) return false;
  return !word.isGlob || (expandGlob(word, locations, command.cwds)?.length ?? 2) <= 1;
}

/** Whether a word disappears in shells that are set to drop globs without matches. */
export function mayExpandToNothing(word: ShellWord, command: ShellCommand, locations: Locations): boolean {
  return word.isGlob && expandGlob(word, locations, command.cwds)?.length === 0;
}

/** Whether no name here, or above here in the workspace, can be read as an option. */
export function hasNoOptionLikeNames({ cwds }: ShellCommand, locations: Locations): boolean {
  return cwds.every((cwd) => {
    for (let at = cwd; ; at = posix.dirname(at)) {
      const listing = locations.world.entries?.(at) ?? "unknown";
      if (!Array.isArray(listing) || listing.some(({ name }) => name.startsWith("-"))) return false;
      if (at === "/" || !locations.workspace.some((folder) => at !== folder && isInside(at, folder)))
        return true;
    }
  });
}

/** `[1/3]`: a slash ends no bracket, so this is not a glob. */
const NO_GLOB = /^[^*?[\]/~]*\[\d+\/\d+\][^*?[\]/~]*$/;

/** Whether words that are printed verbatim, such as those of `echo`, reveal no secret. */
export function mayBePrinted(
  words: readonly ShellWord[],
  command: ShellCommand,
  locations: Locations,
): boolean {
  return words.every((word) => {
    if (!word.variables.every(isPublicVariable)) return false;
    if (word.found !== undefined) return mayStatPath(word.found.folder, locations, command.cwds);
    // Without a folder it can only match names of files here, whatever is printed around them.
    if (!word.isGlob || (isKnown(word) && !/[/~]/.test(word.text)) || NO_GLOB.test(word.text)) return true;
    if (word.holdsNumber) return false;
    return word.text.split(/[\s:=,"'()]+/).every((text) => {
      if (!/[/~]/.test(text)) return true;
      const found = expandGlob({ ...word, text }, locations, command.cwds);
      return found?.every((each) => mayStatPath(each, locations, command.cwds)) === true;
    });
  });
}
