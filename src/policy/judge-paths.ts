import { posix } from "node:path";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import { displayPath, type Locations, pathsOf } from "./locations.ts";
import { KEY_NAMES, type OwnFile } from "./own-files.ts";
import { expandBraces } from "./path-glob.ts";
import { type Protection, protectionOf, protectionOfGlob } from "./protected-files.ts";
import { expandGlob, matchesByDefault } from "./read-only/globs.ts";
import { literalWord, UNKNOWN } from "./shell/shell-reading.ts";
import { spend } from "./work.ts";

/** `opened`: read by a program that is not known to only read. */
export type Access = "read" | "opened" | "write" | "move" | "mode" | "restore" | "either" | "names";

/** How a path is used: what is done to it, by whom, and from where. */
export interface PathUse {
  readonly access: Access;
  readonly actor: string;
  readonly locations: Locations;
  readonly cwds: readonly string[];
  readonly protect: readonly string[];
}

export function judgePath(text: string, use: PathUse): Finding | null {
  const { locations, cwds, protect } = use;
  const known = knownParts(text).flatMap((part) => pathsOf(part, locations, knownCwds(cwds, locations)));
  return mostSevere([
    ...known.map((path) => judgeIfProtected(protectionOf(path, locations, protect), path, use)),
    ...(/^file:.*[*?[{]/i.test(text) ? expandBraces(text).map((each) => judgeGlob(each, use)) : []),
    ...partlyKnown(text, cwds).map((path) => judgePartialPath(path, use)),
  ]);
}

/** What a glob may match by its letters, and what it matches among existing files. */
export function judgeGlob(text: string, use: PathUse, expandsOnDisk = true): Finding | null {
  const { locations, cwds, protect } = use;
  const globs = pathsOf(text, locations, knownCwds(cwds, locations));
  // Changing a whole folder is not judged by a single file in it.
  const changesFolder =
    /^\*+$/.test(text.slice(text.lastIndexOf("/") + 1)) && /^(?:write|move|mode)$/.test(use.access);
  const isExpanded = expandsOnDisk && !changesFolder && !text.includes(UNKNOWN);
  const found = isExpanded ? existingMatches(text, use, matchesByDefault) : [];
  return mostSevere([
    ...globs.map((glob) => judgeIfProtected(protectionOfGlob(glob, locations), text, use)),
    ...found.map((path) => {
      const paths = pathsOf(path, locations, knownCwds(cwds, locations));
      return mostSevere(
        paths.map((each) => judgeIfProtected(protectionOf(each, locations, protect), each, use)),
      );
    }),
  ]);
}

/** What a glob matches among hidden names, where a star matches those too. */
export function judgeHiddenMatches(text: string, use: PathUse): Finding | null {
  if (/^(?:move|mode)$/.test(use.access)) return null;
  const { locations, cwds, protect } = use;
  const found = existingMatches(text, use).flatMap((path) =>
    pathsOf(path, locations, knownCwds(cwds, locations)),
  );
  return mostSevere(found.map((path) => judgeIfProtected(protectionOf(path, locations, protect), path, use)));
}

/** The existing files that a glob matches. A part in a syntax that is not read may match every name. */
function existingMatches(
  text: string,
  { locations, cwds }: PathUse,
  matches?: typeof matchesByDefault,
): readonly string[] {
  const expand = (glob: string): readonly string[] | null =>
    expandGlob({ ...literalWord(glob), isGlob: true }, locations, knownCwds(cwds, locations), matches);
  const widened = posix.normalize(text).split("/").map(toReadableGlob).join("/");
  return expand(text) ?? expand(widened) ?? [];
}

function toReadableGlob(part: string): string {
  if (!/[\\[\]\s"'$`(){}<>|&;#^]|(?!^)~/.test(part)) return part;
  return part.startsWith(".") ? ".*" : "*";
}

function judgeIfProtected(
  protection: Protection | null,
  path: string,
  { access, actor, locations }: PathUse,
): Finding | null {
  if (protection === null) return null;
  return judgeProtection(
    protection,
    access,
    path.startsWith("/") ? displayPath(path, locations) : path,
    actor,
  );
}

export function knownCwds(cwds: readonly string[], locations: Locations): readonly string[] {
  const known = cwds.filter((cwd) => !cwd.includes(UNKNOWN));
  return known.length > 0 ? known : [locations.cwd];
}

/** The end of a partly unknown path may still show what it is, and its folders where it is. */
function knownParts(text: string): readonly string[] {
  const at = text.indexOf(UNKNOWN);
  const end = text.slice(text.lastIndexOf(UNKNOWN) + 1);
  const folder = at < 0 ? "" : text.slice(0, text.lastIndexOf("/", at) + 1);
  const parts = at < 0 ? [text] : [end.replace(/^\/*/, ""), folder];
  return parts.filter((part) => part !== "" && part !== "/");
}

/** The path where parts of it, or of its possible folders, are unknown. */
function partlyKnown(text: string, cwds: readonly string[]): readonly string[] {
  if (/^[/~\0]/.test(text)) return text.includes(UNKNOWN) ? [text] : [];
  const isPartial = text.includes(UNKNOWN);
  return cwds.filter((cwd) => isPartial || cwd.includes(UNKNOWN)).map((cwd) => `${cwd}/${text}`);
}

/** An unknown part inside a name may be anything, or nothing: `.en${x}v`. */
export function judgePartialPath(text: string, use: PathUse): Finding | null {
  const { locations, actor } = use;
  const normalized = posix.normalize(text);
  const parts = normalized.split("/");
  spend(20 + normalized.length);
  const isMixed = parts.some((part) => part.includes(UNKNOWN) && part !== UNKNOWN);
  const found = isMixed ? protectionOfGlob(normalized.replaceAll(UNKNOWN, "*"), locations, true) : null;
  if (found !== null) return judgeIfProtected(found, text.replaceAll(UNKNOWN, "…"), use);
  const isKey = parts.slice(0, -1).some((part) => part.includes(UNKNOWN)) && isKeyName(parts.at(-1)!);
  return isKey && use.access !== "names"
    ? ask("own-file", `${actor} would use ${parts.at(-1)} in a folder that is only known at run time.`)
    : null;
}

function isKeyName(name: string): boolean {
  return KEY_NAMES.includes(name.toLowerCase());
}

export function judgeProtection(
  protection: Protection,
  access: Access,
  path: string,
  actor: string,
): Finding | null {
  if (access === "names") return null;
  switch (protection.kind) {
    case "own":
      return judgeOwn(protection.file, access, path, actor);
    case "secret":
      if (access === "mode") return null;
      return access === "write" || access === "restore"
        ? deny("write-secret-file", `${actor} would change ${path}, ${protection.what}.`)
        : ask("read-secret-file", `${actor} would use ${path}, ${protection.what}.`);
    case "later":
      return access === "read" || access === "opened" || access === "restore"
        ? null
        : ask("runs-later", `${actor} would change ${path}: ${protection.what}.`);
    case "protect":
      return access === "read" || access === "opened"
        ? null
        : ask(protection.rule, `${actor} would change ${path}, which a rule protects.`);
    default:
      return protection satisfies never;
  }
}

function judgeOwn(file: OwnFile, access: Access, path: string, actor: string): Finding | null {
  if (file === "key") return deny("own-file", `${actor} would use ${path}, which is reserved for Hookline.`);
  if (access === "read") return null;
  return file === "rules"
    ? ask("own-file", `${actor} would change ${path}, which Hookline's verdicts depend on.`)
    : deny("own-file", `${actor} would change ${path}, which only Hookline may change.`);
}
