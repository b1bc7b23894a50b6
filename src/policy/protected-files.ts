import type { SamplePath } from "./file-table.ts";
import { foldedPath, otherSpellings } from "./folded-path.ts";
import { laterAtRoot } from "./later-at-root.ts";
import { LATER_SAMPLES, laterOf, partsOf } from "./later-files.ts";
import { isOwnProgram, type OwnFile, ownFileOf, ownFileOfGlob } from "./own-files.ts";
import { matchesPart } from "./path-glob.ts";
import { matchesPlace, type Places } from "./places.ts";
import { isSecretFile, SECRET_HOME_SAMPLES, SECRET_PATHS, SECRET_SAMPLES } from "./secret-files.ts";
import type { SoughtGlob } from "./shell/shell-reading.ts";
import { giveUp, spend } from "./work.ts";

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
  const known = remembered(places);
  const key = `of ${path}`;
  const before = known.get(key);
  const found = before === undefined ? builtInProtectionOf(path, places) : before;
  if (before === undefined) known.set(key, found);
  if (found !== null) return found;
  const glob = protect.find((each) => matchesPlace(each, path, places));
  return glob === undefined ? null : { kind: "protect", rule: "protect", what: `protected by "${glob}"` };
}

function builtInProtectionOf(path: string, places: Places): Protection | null {
  const own = ownFileOf(path, places);
  if (own !== null) return { kind: "own", file: own, rule: "builtin/own-file", what: "Hookline's own file" };
  const name = foldedPath(path);
  const home = foldedPath(places.home);
  if (isSecretFile(name, home)) return SECRET;
  const later = isOwnProgram(name)
    ? "the program that guards this session"
    : (laterOf(name, home) ?? laterAtRoot(name, places.workspace));
  if (later !== null) return { kind: "later", rule: "builtin/runs-later", what: later };
  for (const spelling of otherSpellings(name)) {
    const found = spelling.includes("*")
      ? protectionOfGlob(spelling, places, true)
      : protectionOf(spelling, places);
    if (found !== null) return found;
  }
  return null;
}

/** Whether a file is one for secrets, by its path. */
export function holdsSecrets(path: string, places: Places): boolean {
  return isSecretFile(foldedPath(path), foldedPath(places.home));
}

const WILD = /[*?[]/;
const SECRET_PATH_PARTS = SECRET_PATHS.map((path) => partsOf(foldedPath(path)));
/** Files of a home that other names do not show. */
const IN_HOME = [".npmrc", ".docker/config.json"];

interface Sample extends SamplePath {
  readonly weight: number;
}

const SAMPLES: readonly Sample[] = [
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

/**
 * The protected file that a glob in a command finds: `cat .e*`, `tee .cl*\/settings.json`. With `isGuess` the stars
 * stand for text that is not known, and an extension alone says nothing.
 */
export function protectionOfGlob(glob: string, places: Places, isGuess = false): Protection | null {
  const folded = withoutClasses(foldedPath(glob));
  const known = remembered(places);
  const key = `${isGuess} ${folded}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = findProtection(folded, places, isGuess);
  known.set(key, found);
  return found;
}

/** Scripts use the same few names again and again. */
const cache = new WeakMap<Places, Map<string, Protection | null>>();

function remembered(places: Places): Map<string, Protection | null> {
  const known = cache.get(places) ?? new Map<string, Protection | null>();
  cache.set(places, known);
  return known;
}

function findProtection(folded: string, places: Places, isGuess: boolean): Protection | null {
  const parts = folded.split("/").filter((part) => part !== "");
  if (parts.some((part) => part.length > MAX_PART && WILD.test(part))) giveUp();
  const own = ownFileOfGlob(parts, places, isGuess);
  if (own !== null) return { kind: "own", file: own, rule: "builtin/own-file", what: "Hookline's own file" };
  const literal = protectionOf(`/${parts.map(withoutWild).join("/")}`, places);
  const isWild = parts.some((part) => WILD.test(part));
  if (!isWild || (literal !== null && literal.kind !== "later")) return literal;
  spend(4 * SECRET_PATH_PARTS.length);
  const absolute = [
    ...IN_HOME.map((name) => partsOf(foldedPath(`${places.home}/${name}`))),
    ...SECRET_PATH_PARTS,
  ].find((names) => isWholly(parts, names));
  if (absolute !== undefined) return protectionOf(`/${absolute.join("/")}`, places);
  if (literal !== null) return literal;
  const weights = parts.map((part) => (WILD.test(part) ? literalWeight(part) : WHOLE));
  if (isGuess && !parts.some((part, at) => weights[at]! < WHOLE && weights[at]! >= 2 && mayBeSample(part)))
    return null;
  const fitting = samplesFor(parts.at(-1)!);
  spend(8 * fitting.length);
  // The first is found by its extension alone.
  const isMeant = (sample: Sample): boolean => !isGuess || sample !== SAMPLES[0];
  const found =
    fitting.find((sample) => isMeant(sample) && isFound(sample, parts, weights)) ??
    inHome(parts, weights, places);
  return found === undefined ? null : protectionOf(`/${found.names.join("/")}`, places);
}

const MAX_END = 8;
/** What the names of samples begin and end with, by length: most globs fit none of them. */
const ENDS: ReadonlySet<string> = new Set(
  [...SAMPLES, ...SECRET_HOME_SAMPLES]
    .flatMap(({ names }) => names)
    .flatMap((name) =>
      Array.from({ length: Math.min(MAX_END, name.length) }, (_, n) => [
        `^${name.slice(0, n + 1)}`,
        `${name.slice(-n - 1)}$`,
      ]).flat(),
    ),
);

function mayBeSample(part: string): boolean {
  const start = /^[^*?[]*/.exec(part)![0].slice(0, MAX_END);
  const end = part
    .slice(-MAX_END)
    .split(/[*?\]]/)
    .at(-1)!;
  return (start === "" || ENDS.has(`^${start}`)) && (end === "" || ENDS.has(`${end}$`));
}

/** What only a home holds: `~/.moz*`. */
function inHome(parts: readonly string[], weights: readonly number[], places: Places): Sample | undefined {
  const home = foldedPath(places.home).split("/").slice(1);
  if (!home.every((name, at) => name === parts[at])) return undefined;
  const from = home.length;
  const found = SECRET_HOME_SAMPLES.find(
    ({ names, isFolder }) =>
      (isFolder ? from + names.length <= parts.length : from + names.length === parts.length) &&
      names.every((name, n) => weights[from + n]! >= 2 && isNamed(name, parts[from + n]!)),
  );
  return found === undefined ? undefined : { ...found, names: [...home, ...found.names], weight: 2 };
}

/** No name is as long; a bracket that never closes takes the square of its length. */
const MAX_PART = 1_000;
const MAX_CLASSES = 1_000;

/** A bracket with a class in it may be any one character. */
function withoutClasses(glob: string): string {
  if (!glob.includes("[[") || glob.length > MAX_CLASSES) return glob;
  return glob.replace(/\[[!^]?(?:\[[:.=][^\]/]*\]|[^[\]/])*\]/g, (set) => (/\[[:.=]/.test(set) ? "?" : set));
}

/** The protected file that globs of names and of paths find together: `-path '*workflows*' -name '*.yml'`. */
export function protectionOfSought(globs: readonly SoughtGlob[], places: Places): Protection | null {
  const weight = Math.max(...globs.map(({ of, glob }) => (of === "path" ? weightOfPath(glob) : -1)));
  if (weight < 2) return null;
  spend(6 * SAMPLES.length);
  const found = SAMPLES.find(({ names, isFolder, weight: least }) => {
    const path = `/x/${names.join("/")}${isFolder ? "/x" : ""}`;
    return (
      weight >= least &&
      globs.every(({ of, glob }) =>
        of === "path" ? matchesPart(glob, path) : isFolder || matchesPart(glob, names.at(-1)!),
      )
    );
  });
  return found === undefined ? null : protectionOf(`/${found.names.join("/")}`, places);
}

function weightOfPath(glob: string): number {
  return Math.max(...glob.split("/").map((part) => (WILD.test(part) ? literalWeight(part) : part.length)));
}

const WHOLE = 100;

function isFound(
  { names, isFolder, weight }: Sample,
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

function isWholly(parts: readonly string[], names: readonly string[]): boolean {
  return names.length === parts.length && names.every((name, n) => isNamed(name, parts[n]!));
}
