import { posix } from "node:path";
import { isInside, type Places } from "../places.ts";
import { isPublicVariable } from "../shell/plain-variables.ts";
import { isKnown, type ShellCommand, type ShellWord, type Starter } from "../shell/shell-reading.ts";
import { globFinds } from "./globs.ts";
import type { Kind } from "./grammar.ts";
import { mayName, mayRead, mayReadTree, type TreeReading } from "./readable-files.ts";

/** Whether a word is what the grammar says it is, and may be told. */
export function fitsKind(
  word: ShellWord,
  kind: Kind,
  command: ShellCommand,
  places: Places,
  how: TreeReading = {},
): boolean {
  if (!word.variables.every(isPublicVariable) || word.isSplit) return false;
  if (word.holdsNumber && !(kind instanceof RegExp) && kind !== "text") return false;
  // Zsh does not split what a variable holds: with its blanks it is one name.
  if (word.splitsNames && !word.isGlob && !(kind instanceof RegExp) && kind !== "text") return false;
  if (isOtherGlob(word) && !(kind instanceof RegExp) && kind !== "text") return false;
  if (word.isProcess) return !(kind instanceof RegExp) && kind !== "text";
  if (word.found !== undefined) return fitsFound(word, kind, command, places);
  if (!isKnown(word)) return kind === "text";
  const texts = word.isGlob ? globFinds(word, places, command.cwds) : [];
  if (texts === null || texts.some((text) => /^-/.test(text))) return false;
  if (word.splitsNames && texts.some((text) => /[\s*?[]/.test(text))) return false;
  // A glob that finds nothing stays what it is; one that does puts files in its place.
  const isOpen = (text: string): boolean => {
    if (kind === "name" || kind === "entry") return mayName(text, places, command.cwds);
    if (kind === "tree") return mayReadTree(text, places, command.cwds, how);
    return mayRead(text, places, command.cwds);
  };
  const isFoundOpen = (text: string): boolean =>
    kind === "entry" ? mayName(posix.dirname(text), places, command.cwds) : isOpen(text);
  if (!texts.every(isFoundOpen)) return false;
  // More than one word in the place of one would make operands of the rest.
  if (kind === "text") return texts.length <= 1;
  return kind instanceof RegExp ? texts.length === 0 && kind.test(word.text) : isOpen(word.text);
}

/** `.en##v` is `.env` where zsh is set to read more globs. */
function isOtherGlob({ text }: ShellWord): boolean {
  return /(?!^)#/.test(text);
}

/** What `find` found: the names of such files may be told, and their content if no secret is among them. */
function fitsFound({ found }: ShellWord, kind: Kind, command: ShellCommand, places: Places): boolean {
  const { folder, names, isBare } = found!;
  const isCut = command.starters.some(splitsAtBlanks);
  if (/^-/.test(folder) || (isCut && CUTS.test(folder)) || (isBare && !hasPlainNames(command, places)))
    return false;
  if (kind === "name" || kind === "entry") return mayName(folder, places, command.cwds);
  if ((kind !== "read" && kind !== "tree") || /[*?[]/.test(folder)) return false;
  return mayReadTree(folder, places, command.cwds, {
    followsLinks: true,
    // Of a tree they are the names of its folder, not of the files in it.
    only: kind === "tree" ? null : names,
    isSplitAtBlanks: isCut,
  });
}

/** What `xargs` takes for the end of a name, or for a quote. */
const CUTS = /[\s"'\\]/;

/** `xargs` makes two words of a name with a blank in it, unless it is told where names end. */
function splitsAtBlanks({ name, words }: Starter): boolean {
  return name === "xargs" && !words.some((word) => /^(?:-[rtx]*0|--null$)/.test(word.text));
}

/** Whether a word is one operand, and not as many as there are files. */
export function isOneWord(word: ShellWord, command: ShellCommand, places: Places): boolean {
  if (word.found !== undefined || word.isSplit) return false;
  return !word.isGlob || (globFinds(word, places, command.cwds)?.length ?? 2) <= 1;
}

/** Whether a word is gone where shells drop globs that find nothing, as some people's do. */
export function mayVanish(word: ShellWord, command: ShellCommand, places: Places): boolean {
  return word.isGlob && globFinds(word, places, command.cwds)?.length === 0;
}

/** Whether no name here, or above here in the workspace, is taken for an option. */
export function hasPlainNames({ cwds }: ShellCommand, places: Places): boolean {
  return cwds.every((cwd) => {
    for (let at = cwd; ; at = posix.dirname(at)) {
      const listing = places.world.entries?.(at) ?? "unknown";
      if (!Array.isArray(listing) || listing.some(({ name }) => name.startsWith("-"))) return false;
      if (at === "/" || !places.workspace.some((folder) => at !== folder && isInside(at, folder)))
        return true;
    }
  });
}

/** `[1/3]`: a slash ends no bracket, so nothing is looked for. */
const NO_GLOB = /^[^*?[\]/~]*\[\d+\/\d+\][^*?[\]/~]*$/;

/** Whether words that are printed as they are, such as those of `echo`, tell no secret. */
export function mayBePrinted(words: readonly ShellWord[], command: ShellCommand, places: Places): boolean {
  return words.every((word) => {
    if (!word.variables.every(isPublicVariable)) return false;
    if (word.found !== undefined) return mayName(word.found.folder, places, command.cwds);
    // Without a folder it can only be names of files that lie here, whatever is printed around them.
    if (!word.isGlob || (isKnown(word) && !/[/~]/.test(word.text)) || NO_GLOB.test(word.text)) return true;
    if (word.holdsNumber) return false;
    return word.text.split(/[\s:=,"'()]+/).every((text) => {
      if (!/[/~]/.test(text)) return true;
      const found = globFinds({ ...word, text }, places, command.cwds);
      return found?.every((each) => mayName(each, places, command.cwds)) === true;
    });
  });
}
