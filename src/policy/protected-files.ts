import type { SamplePath } from "./file-table.ts";
import { foldedPath } from "./folded-path.ts";
import { laterAtRoot } from "./later-at-root.ts";
import { LATER_SAMPLES, laterOf } from "./later-files.ts";
import { type OwnFile, ownFileOf } from "./own-files.ts";
import { matchesPart } from "./path-glob.ts";
import { matchesPlace, type Places } from "./places.ts";
import { isSecretFile, SECRET_SAMPLES } from "./secret-files.ts";
import { spend } from "./work.ts";

/** A file that is not changed, or not read, without asking; and what it is, for a sentence. */
export type Protection =
  | { readonly kind: "secret" | "later" | "protect"; readonly rule: string; readonly what: string }
  | { readonly kind: "own"; readonly file: OwnFile; readonly rule: string; readonly what: string };

const SECRET: Protection = { kind: "secret", rule: "builtin/secret-file", what: "a file for secrets" };

/** Why a path is protected; null when it is not. `protect` are the user's own globs. */
export function protectionOf(
  path: string,
  places: Places,
  protect: readonly string[] = [],
): Protection | null {
  const own = ownFileOf(path, places);
  if (own !== null) return { kind: "own", file: own, rule: "builtin/own-file", what: "Hookline's own file" };
  const name = foldedPath(path);
  const home = foldedPath(places.home);
  if (isSecretFile(name, home)) return SECRET;
  const later = laterOf(name, home) ?? laterAtRoot(name, places.workspace);
  if (later !== null) return { kind: "later", rule: "builtin/runs-later", what: later };
  const glob = protect.find((each) => matchesPlace(each, path, places));
  return glob === undefined ? null : { kind: "protect", rule: "protect", what: `protected by "${glob}"` };
}

/** Whether a file is one for secrets, by its path. */
export function holdsSecrets(path: string, places: Places): boolean {
  return isSecretFile(foldedPath(path), foldedPath(places.home));
}

const WILD = /[*?[]/;
/** Files of a home that other names do not show. */
const IN_HOME = [".npmrc", ".docker/config.json"];
const OWN_NAMES = ["token", "sock", "daemon.pid", "rules.json"];

const SAMPLES: readonly (SamplePath & { readonly weight: number })[] = [
  // Also by its extension alone.
  { names: ["credentials.json"], isFolder: false, weight: 0 },
  ...SECRET_SAMPLES.map((sample) => ({ ...sample, weight: 2 })),
  ...LATER_SAMPLES.map((sample) => ({ ...sample, weight: 3 })),
];

/** Those that a glob with this end may find: a file's last letter is the glob's, unless that is a star. */
function samplesFor(part: string): typeof SAMPLES {
  const end = part.at(-1)!;
  if (/[*?\]]/.test(end)) return SAMPLES;
  const before = byEnd.get(end);
  if (before !== undefined) return before;
  const fitting = SAMPLES.filter(({ names, isFolder }) => isFolder || names.at(-1)!.endsWith(end));
  if (/[\w.~-]/.test(end)) byEnd.set(end, fitting);
  return fitting;
}

const byEnd = new Map<string, typeof SAMPLES>();

/** The protected file that a glob in a command finds: `cat .e*`, `tee .cl*\/settings.json`. */
export function protectionOfGlob(glob: string, places: Places): Protection | null {
  const parts = foldedPath(glob)
    .split("/")
    .filter((part) => part !== "");
  const isWild = parts.some((part) => WILD.test(part));
  const samples = isWild ? samplesFor(parts.at(-1)!) : [];
  spend(6 * samples.length);
  const absolute = isWild ? absoluteOf(parts, places) : undefined;
  if (absolute !== undefined) return protectionOf(absolute, places);
  const literal = protectionOf(`/${parts.map(withoutWild).join("/")}`, places);
  if (literal !== null || !isWild) return literal;
  const weights = parts.map((part) => (WILD.test(part) ? literalWeight(part) : WHOLE));
  const found = samples.find((sample) => isFound(sample, parts, weights));
  return found === undefined ? null : protectionOf(`/${found.names.join("/")}`, places);
}

/** Our own files and those of the home come first: they are known by their whole path. */
function absoluteOf(parts: readonly string[], places: Places): string | undefined {
  return [
    ...OWN_NAMES.map((name) => `${places.own.dir}/${name}`),
    ...IN_HOME.map((name) => `${places.home}/${name}`),
  ].find((path) => isWholly(parts, foldedPath(path)));
}

const WHOLE = 100;

function isFound(
  { names, isFolder, weight }: SamplePath & { readonly weight: number },
  parts: readonly string[],
  weights: readonly number[],
): boolean {
  const last = parts.length - names.length;
  // Below a hidden folder that is named, a star may be any of its folders.
  const least = names[0]!.startsWith(".") && names.length > 1 ? Number.NEGATIVE_INFINITY : weight;
  for (let start = isFolder ? 0 : last; start >= 0 && start <= last; start++)
    if (
      weights[start]! >= weight &&
      names.every((name, n) => weights[start + n]! >= least && isNamed(name, parts[start + n]!))
    )
      return true;
  return false;
}

/** A leading dot is never found by a star. */
function isNamed(name: string, part: string): boolean {
  return !(name.startsWith(".") && WILD.test(part[0]!)) && matchesPart(part, name);
}

function withoutWild(part: string): string {
  return part.replace(/[*?]+|\[[^\]]*\]/g, "");
}

/** How much a glob says about the name: an extension alone says nothing, a leading dot nearly all. */
function literalWeight(part: string): number {
  if (part.startsWith(".")) return 3;
  if (/^[*?]+$/.test(part)) return -1;
  const dot = part.lastIndexOf(".");
  const named = WILD.test(part[0] ?? "") && dot >= 0 ? part.slice(0, dot) : part;
  return withoutWild(named).length;
}

function isWholly(parts: readonly string[], path: string): boolean {
  const names = path.split("/").filter((name) => name !== "");
  return names.length === parts.length && names.every((name, n) => isNamed(name, parts[n]!));
}
