import { foldedPath } from "./folded-path.ts";
import { isInside, type Locations } from "./locations.ts";
import { numberPattern } from "./own-numbers.ts";
import { matchesPart } from "./path-glob.ts";
import { spend } from "./work.ts";

/**
 * A file in Hookline's own home. With a `key` an agent could answer its own requests or end the daemon, so only
 * Hookline uses one. `rules` are written after asking. `state` may be read, and only Hookline writes it.
 */
export type OwnFile = "key" | "rules" | "state";

const KEYS =
  /^(?:token|logins\.json|sock|daemon\.(?:pid|lock|json|lives)|keys?|locks|launch|(?:hookline|search)\.db)(?:[.,~-].*|\/.*)?$/;
/** The keys whose names are distinctive even where the folder is unknown. */
export const KEY_NAMES: readonly string[] = ["token", "sock", "daemon.pid", "logins.json", "hookline.db"];
const RULES = /^rules\.json$/;

/** What kind of own file a path is; null when it is outside our home. */
export function ownFileOf(path: string, locations: Locations): OwnFile | null {
  const folded = foldedPath(path);
  for (const folder of ownFolders(locations)) {
    if (!isInside(folded, folder)) continue;
    const inside = folded.slice(folder.length + 1);
    // The folder itself, or everything in it, includes the keys.
    if (inside === "" || /[*?[]/.test(inside) || KEYS.test(inside)) return "key";
    return RULES.test(inside) ? "rules" : "state";
  }
  return null;
}

/** Whether a path belongs to an installed Hookline, which runs as the guard. In lower case. */
export function isOwnProgram(path: string): boolean {
  return /\/(?:node_modules|lib|cellar|opt|share)\/(?:@[^/]+\/)?hookline(?:\/|$)/.test(path);
}

/** The same for the parts of a glob, in lower case. `findsHidden`: a star may match a leading dot. */
export function ownFileOfGlob(
  parts: readonly string[],
  locations: Locations,
  findsHidden: boolean,
): OwnFile | null {
  for (const folder of ownFolders(locations)) {
    const names = folder.split("/").filter((name) => name !== "");
    const matchesFolder =
      names.length <= parts.length &&
      names.every((name, at) => {
        const part = parts[at]!;
        return matchesPart(part, name) && (findsHidden || !(name.startsWith(".") && /^[*?[]/.test(part)));
      });
    if (matchesFolder) return ownFileOf([folder, ...parts.slice(names.length)].join("/"), locations);
  }
  return null;
}

/** Whether a matching key of ours exists below a folder. */
export function holdsOwnKey(
  folder: string,
  matches: (path: string) => boolean,
  locations: Locations,
): boolean {
  const folded = foldedPath(folder);
  return ownFolders(locations).some((own) =>
    KEY_NAMES.some((name) => isInside(`${own}/${name}`, folded) && matches(`${own}/${name}`)),
  );
}

const cache = new WeakMap<Locations, readonly string[]>();

function ownFolders(locations: Locations): readonly string[] {
  const known = cache.get(locations);
  if (known !== undefined) return known;
  const { home, own, world } = locations;
  const dirs = [own.dir, `${home}/.hookline`].map((dir) => dir.replace(/\/+$/, ""));
  const all = dirs.flatMap((dir) => [dir, realPathOf(dir, world)]).map(foldedPath);
  const folders = [...new Set(all)].filter((dir) => dir !== "" && dir !== "/");
  cache.set(locations, folders);
  return folders;
}

function realPathOf(dir: string, world: Locations["world"]): string {
  try {
    return world.realPath(dir);
  } catch {
    return dir;
  }
}

/** The paths of our own home anywhere in a text: in code, in a URL, after a colon. */
export function ownPathsIn(text: string, locations: Locations): readonly string[] {
  const found: string[] = [];
  const lower = text.toLowerCase();
  for (const folder of [
    ...ownFolders(locations),
    "/.hookline",
    "~/.hookline",
    "\u0024{hookline_home}",
    "$hookline_home",
  ]) {
    for (let at = lower.indexOf(folder); at >= 0; at = lower.indexOf(folder, at + 1)) {
      const after = text.slice(at + folder.length);
      if (/^[\w-]/.test(after)) continue;
      const rest = /^[^\s"'`,;:|&<>()\\]*/.exec(after)?.[0] ?? "";
      spend(rest.length + folder.length);
      found.push(`${locations.own.dir}${rest.replace(/^[^/]+/, "")}`);
    }
  }
  return found;
}

/** Whether a text addresses our own port, by any name of this machine. */
export function mentionsOwnPort(text: string, locations: Locations): boolean {
  const { port } = locations.own;
  return port !== null && port > 0 && numberPattern(String.raw`(?:^|[^\w.])N(?![\w.-]|:\d)`, port).test(text);
}

/** Whether it contains our port after a host. */
export function isOwnAddress(text: string, locations: Locations): boolean {
  return (
    mentionsOwnPort(text, locations) && numberPattern(String.raw`:N(?!\d)`, locations.own.port!).test(text)
  );
}
