import { posix } from "node:path";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { KEY_NAMES, type OwnFile } from "./own-files.ts";
import { withoutBraces } from "./path-glob.ts";
import { type Places, pathsOf, shownPath } from "./places.ts";
import { type Protection, protectionOf, protectionOfGlob } from "./protected-files.ts";
import { globFinds, usuallyMatches } from "./read-only/globs.ts";
import { literalWord, UNKNOWN } from "./shell/shell-reading.ts";
import { spend } from "./work.ts";

/** `opened`: read by a program that is not known to only read. */
export type Access = "read" | "opened" | "write" | "move" | "mode" | "restore" | "either" | "names";

/** A path as it is used: what is done to it, by whom, and from where. */
export interface PathUse {
  readonly access: Access;
  readonly who: string;
  readonly places: Places;
  readonly cwds: readonly string[];
  readonly protect: readonly string[];
}

export function judgePath(text: string, use: PathUse): Finding | null {
  const { places, cwds, protect } = use;
  const known = knownParts(text).flatMap((written) => pathsOf(written, places, knownOf(cwds, places)));
  return gravest([
    ...known.map((path) => judged(protectionOf(path, places, protect), path, use)),
    ...(/^file:.*[*?[{]/i.test(text) ? withoutBraces(text).map((each) => judgeGlob(each, use)) : []),
    ...partlyKnown(text, cwds).map((written) => judgeGuess(written, use)),
  ]);
}

/** More files that a glob finds are not looked at one by one. */
const MAX_LOOKED_AT = 400;

/** What a glob may find by its letters, and what it does find among the files that are there. */
export function judgeGlob(text: string, use: PathUse, looksUp = true): Finding | null {
  const { places, cwds, protect } = use;
  const globs = pathsOf(text, places, knownOf(cwds, places));
  const word = { ...literalWord(text), isGlob: true };
  // What changes all of a folder is no matter of one file in it.
  const isAll =
    /^\*+$/.test(text.slice(text.lastIndexOf("/") + 1)) && /^(?:write|move|mode)$/.test(use.access);
  const isLookedUp = looksUp && !isAll && !text.includes(UNKNOWN);
  const found = !isLookedUp ? [] : (globFinds(word, places, knownOf(cwds, places), usuallyMatches) ?? []);
  return gravest([
    ...globs.map((glob) => judged(protectionOfGlob(glob, places), text, use)),
    ...found.slice(0, MAX_LOOKED_AT).map((path) => {
      const paths = pathsOf(path, places, knownOf(cwds, places));
      return gravest(paths.map((each) => judged(protectionOf(each, places, protect), each, use)));
    }),
  ]);
}

/** What a glob finds among hidden names, where a star finds those, too. */
export function judgeHidden(text: string, use: PathUse): Finding | null {
  if (/^(?:move|mode)$/.test(use.access)) return null;
  const { places, cwds, protect } = use;
  const finds = globFinds({ ...literalWord(text), isGlob: true }, places, knownOf(cwds, places)) ?? [];
  const found = finds.slice(0, MAX_LOOKED_AT).flatMap((path) => pathsOf(path, places, knownOf(cwds, places)));
  return gravest(found.map((path) => judged(protectionOf(path, places, protect), path, use)));
}

function judged(
  protection: Protection | null,
  path: string,
  { access, who, places }: PathUse,
): Finding | null {
  if (protection === null) return null;
  return judgement(protection, access, path.startsWith("/") ? shownPath(path, places) : path, who);
}

export function knownOf(cwds: readonly string[], places: Places): readonly string[] {
  const known = cwds.filter((cwd) => !cwd.includes(UNKNOWN));
  return known.length > 0 ? known : [places.cwd];
}

/** Of a path that is not known, its end may still say what it is, and the folders before it where it lies. */
function knownParts(text: string): readonly string[] {
  const at = text.indexOf(UNKNOWN);
  const end = text.slice(text.lastIndexOf(UNKNOWN) + 1);
  const folder = at < 0 ? "" : text.slice(0, text.lastIndexOf("/", at) + 1);
  const parts = at < 0 ? [text] : [end.replace(/^\/*/, ""), folder];
  return parts.filter((part) => part !== "" && part !== "/");
}

/** The path with what is not known of it, or of the folders it may lie in. */
function partlyKnown(text: string, cwds: readonly string[]): readonly string[] {
  if (/^[/~\0]/.test(text)) return text.includes(UNKNOWN) ? [text] : [];
  const isPartial = text.includes(UNKNOWN);
  return cwds.filter((cwd) => isPartial || cwd.includes(UNKNOWN)).map((cwd) => `${cwd}/${text}`);
}

/** What is not known inside a name may be anything, or nothing: `.en${x}v`. */
export function judgeGuess(text: string, use: PathUse): Finding | null {
  const { places, who } = use;
  const written = posix.normalize(text);
  const parts = written.split("/");
  spend(20 + written.length);
  const isMixed = parts.some((part) => part.includes(UNKNOWN) && part !== UNKNOWN);
  const found = isMixed ? protectionOfGlob(written.replaceAll(UNKNOWN, "*"), places, true) : null;
  if (found !== null) return judged(found, text.replaceAll(UNKNOWN, "…"), use);
  const isKey = parts.slice(0, -1).some((part) => part.includes(UNKNOWN)) && isKeyName(parts.at(-1)!);
  return isKey && use.access !== "names"
    ? ask("own-file", `${who} would use ${parts.at(-1)} of a folder that is known only when it runs.`)
    : null;
}

function isKeyName(name: string): boolean {
  return KEY_NAMES.includes(name.toLowerCase());
}

export function judgement(protection: Protection, access: Access, path: string, who: string): Finding | null {
  if (access === "names") return null;
  switch (protection.kind) {
    case "own":
      return judgeOwn(protection.file, access, path, who);
    case "secret":
      if (access === "mode") return null;
      return access === "write" || access === "restore"
        ? deny("write-secret-file", `${who} would change ${path}, ${protection.what}.`)
        : ask("read-secret-file", `${who} would use ${path}, ${protection.what}.`);
    case "later":
      return access === "read" || access === "opened" || access === "restore"
        ? null
        : ask("runs-later", `${who} would change ${path}: ${protection.what}.`);
    case "protect":
      return access === "read" || access === "opened"
        ? null
        : ask(protection.rule, `${who} would change ${path}: it is protected by a rule.`);
    default:
      return protection satisfies never;
  }
}

function judgeOwn(file: OwnFile, access: Access, path: string, who: string): Finding | null {
  if (file === "key")
    return deny("own-file", `${who} would use ${path}, which only Hookline itself may use.`);
  if (access === "read") return null;
  return file === "rules"
    ? ask("own-file", `${who} would change ${path}, by which Hookline judges.`)
    : deny("own-file", `${who} would change ${path}, which only Hookline itself may change.`);
}
