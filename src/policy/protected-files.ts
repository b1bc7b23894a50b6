import type { SamplePath } from "./file-table.ts";
import { foldedPath, otherSpellings } from "./folded-path.ts";
import { type Locations, matchesLocation } from "./locations.ts";
import { isOwnProgram, type OwnFile, ownFileOf, ownFileOfGlob } from "./own-files.ts";
import { matchesPart } from "./path-glob.ts";
import { describeRunsLaterAtRoot } from "./runs-later-at-root.ts";
import { describeRunsLater, pathParts, RUNS_LATER_SAMPLES } from "./runs-later-files.ts";
import { isSecretFile, SECRET_HOME_SAMPLES, SECRET_PATHS, SECRET_SAMPLES } from "./secret-files.ts";
import type { SearchGlob } from "./shell/shell-reading.ts";
import { giveUp, spend } from "./work.ts";

/** A file that is not changed, or not read, without asking; and a description for a sentence. */
export type Protection =
  | { readonly kind: "secret" | "later" | "protect"; readonly rule: string; readonly what: string }
  | { readonly kind: "own"; readonly file: OwnFile; readonly rule: string; readonly what: string };

const SECRET: Protection = { kind: "secret", rule: "builtin/secret-file", what: "a secrets file" };

/** Why a path is protected; null when it is not. `protect` holds the user's own globs. */
export function protectionOf(
  path: string,
  locations: Locations,
  protect: readonly string[] = [],
): Protection | null {
  const cached = cacheFor(locations);
  const key = `of ${path}`;
  const cachedResult = cached.get(key);
  const found = cachedResult === undefined ? builtInProtectionOf(path, locations) : cachedResult;
  if (cachedResult === undefined) cached.set(key, found);
  if (found !== null) return found;
  const glob = protect.find((each) => matchesLocation(each, path, locations));
  return glob === undefined ? null : { kind: "protect", rule: "protect", what: `protected by "${glob}"` };
}

function builtInProtectionOf(path: string, locations: Locations): Protection | null {
  const own = ownFileOf(path, locations);
  if (own !== null) return { kind: "own", file: own, rule: "builtin/own-file", what: "Hookline's own file" };
  const name = foldedPath(path);
  const home = foldedPath(locations.home);
  if (isSecretFile(name, home)) return SECRET;
  const description = isOwnProgram(name)
    ? "the program that guards this session"
    : (describeRunsLater(name, home) ?? describeRunsLaterAtRoot(name, locations.workspace));
  if (description !== null) return { kind: "later", rule: "builtin/runs-later", what: description };
  for (const spelling of otherSpellings(name)) {
    const found = spelling.includes("*")
      ? protectionOfGlob(spelling, locations, true)
      : protectionOf(spelling, locations);
    if (found !== null) return found;
  }
  return null;
}

/** Whether a file's path is one for secrets. */
export function holdsSecrets(path: string, locations: Locations): boolean {
  return isSecretFile(foldedPath(path), foldedPath(locations.home));
}

const WILD = /[*?[]/;
const SECRET_PATH_PARTS = SECRET_PATHS.map((path) => pathParts(foldedPath(path)));
/** Files of a home that no other pattern covers. */
const IN_HOME = [".npmrc", ".docker/config.json"];

interface Sample extends SamplePath {
  readonly weight: number;
}

const SAMPLES: readonly Sample[] = [
  // Also matched by its extension alone.
  { names: ["credentials.json"], isFolder: false, weight: 0 },
  ...SECRET_SAMPLES.map((sample) => ({ ...sample, weight: 2 })),
  ...RUNS_LATER_SAMPLES.map((sample) => ({ ...sample, weight: 3 })),
];

/** Samples that a glob with this ending may match: same last letter, unless the glob ends in a star. */
function samplesFor(part: string): typeof SAMPLES {
  const end = part.at(-1)!;
  if (/[*?\]]/.test(end)) return SAMPLES;
  const cachedSamples = byEnd.get(end);
  if (cachedSamples !== undefined) return cachedSamples;
  const candidates = SAMPLES.filter(({ names, isFolder }) => isFolder || names.at(-1)!.endsWith(end));
  if (/[\w.~-]/.test(end)) byEnd.set(end, candidates);
  return candidates;
}

const byEnd = new Map<string, typeof SAMPLES>();

/**
 * The protected file that a glob in a command matches: `cat .e*`, `tee .cl*\/settings.json`. With `isGuess` the stars
 * stand for unknown text, and an extension alone means nothing.
 */
export function protectionOfGlob(glob: string, locations: Locations, isGuess = false): Protection | null {
  const folded = withoutClasses(foldedPath(glob));
  const cached = cacheFor(locations);
  const key = `${isGuess} ${folded}`;
  const cachedResult = cached.get(key);
  if (cachedResult !== undefined) return cachedResult;
  const found = findProtection(folded, locations, isGuess);
  cached.set(key, found);
  return found;
}

/** Cached per request: scripts repeat the same few names. */
const cache = new WeakMap<Locations, Map<string, Protection | null>>();

function cacheFor(locations: Locations): Map<string, Protection | null> {
  const byKey = cache.get(locations) ?? new Map<string, Protection | null>();
  cache.set(locations, byKey);
  return byKey;
}

function findProtection(folded: string, locations: Locations, isGuess: boolean): Protection | null {
  const parts = folded.split("/").filter((part) => part !== "");
  if (parts.some((part) => part.length > MAX_PART_LENGTH && WILD.test(part))) giveUp();
  const own = ownFileOfGlob(parts, locations, isGuess);
  if (own !== null) return { kind: "own", file: own, rule: "builtin/own-file", what: "Hookline's own file" };
  const literal = protectionOf(`/${parts.map(withoutWild).join("/")}`, locations);
  const isWild = parts.some((part) => WILD.test(part));
  if (!isWild || (literal !== null && literal.kind !== "later")) return literal;
  spend(4 * SECRET_PATH_PARTS.length);
  const absolute = [
    ...IN_HOME.map((name) => pathParts(foldedPath(`${locations.home}/${name}`))),
    ...SECRET_PATH_PARTS,
  ].find((names) => matchesFully(parts, names));
  if (absolute !== undefined) return protectionOf(`/${absolute.join("/")}`, locations);
  if (literal !== null) return literal;
  const weights = parts.map((part) => (WILD.test(part) ? literalWeight(part) : LITERAL_WEIGHT));
  if (
    isGuess &&
    !parts.some((part, at) => weights[at]! < LITERAL_WEIGHT && weights[at]! >= 2 && mayBeSample(part))
  )
    return null;
  const candidates = samplesFor(parts.at(-1)!);
  spend(8 * candidates.length);
  // The first is matched by its extension alone.
  const isAllowed = (sample: Sample): boolean => !isGuess || sample !== SAMPLES[0];
  const found =
    candidates.find((sample) => isAllowed(sample) && matchesSample(sample, parts, weights)) ??
    findHomeSample(parts, weights, locations);
  return found === undefined ? null : protectionOf(`/${found.names.join("/")}`, locations);
}

const MAX_END_LENGTH = 8;
/** Prefixes and suffixes of sample names, by length: most globs match none of them. */
const ENDS: ReadonlySet<string> = new Set(
  [...SAMPLES, ...SECRET_HOME_SAMPLES]
    .flatMap(({ names }) => names)
    .flatMap((name) =>
      Array.from({ length: Math.min(MAX_END_LENGTH, name.length) }, (_, n) => [
        `^${name.slice(0, n + 1)}`,
        `${name.slice(-n - 1)}$`,
      ]).flat(),
    ),
);

function mayBeSample(part: string): boolean {
  const start = /^[^*?[]*/.exec(part)![0].slice(0, MAX_END_LENGTH);
  const end = part
    .slice(-MAX_END_LENGTH)
    .split(/[*?\]]/)
    .at(-1)!;
  return (start === "" || ENDS.has(`^${start}`)) && (end === "" || ENDS.has(`${end}$`));
}

/** Names that only a home has: `~/.moz*`. */
function findHomeSample(
  parts: readonly string[],
  weights: readonly number[],
  locations: Locations,
): Sample | undefined {
  const home = foldedPath(locations.home).split("/").slice(1);
  if (!home.every((name, at) => name === parts[at])) return undefined;
  const from = home.length;
  const found = SECRET_HOME_SAMPLES.find(
    ({ names, isFolder }) =>
      (isFolder ? from + names.length <= parts.length : from + names.length === parts.length) &&
      names.every((name, n) => weights[from + n]! >= 2 && matchesName(name, parts[from + n]!)),
  );
  return found === undefined ? undefined : { ...found, names: [...home, ...found.names], weight: 2 };
}

/** Real names are shorter; matching an unclosed bracket takes quadratic time. */
const MAX_PART_LENGTH = 1_000;
const MAX_CLASS_GLOB_LENGTH = 1_000;

/** A bracket with a class in it may be any single character. */
function withoutClasses(glob: string): string {
  if (!glob.includes("[[") || glob.length > MAX_CLASS_GLOB_LENGTH) return glob;
  return glob.replace(/\[[!^]?(?:\[[:.=][^\]/]*\]|[^[\]/])*\]/g, (set) => (/\[[:.=]/.test(set) ? "?" : set));
}

/** The protected file that name and path globs match together: `-path '*workflows*' -name '*.yml'`. */
export function protectionOfSearch(globs: readonly SearchGlob[], locations: Locations): Protection | null {
  const weight = Math.max(...globs.map(({ of, glob }) => (of === "path" ? weightOfPath(glob) : -1)));
  if (weight < 2) return null;
  spend(6 * SAMPLES.length);
  const found = SAMPLES.find(({ names, isFolder, weight: minWeight }) => {
    const path = `/x/${names.join("/")}${isFolder ? "/x" : ""}`;
    return (
      weight >= minWeight &&
      globs.every(({ of, glob }) =>
        of === "path" ? matchesPart(glob, path) : isFolder || matchesPart(glob, names.at(-1)!),
      )
    );
  });
  return found === undefined ? null : protectionOf(`/${found.names.join("/")}`, locations);
}

function weightOfPath(glob: string): number {
  return Math.max(...glob.split("/").map((part) => (WILD.test(part) ? literalWeight(part) : part.length)));
}

const LITERAL_WEIGHT = 100;

function matchesSample(
  { names, isFolder, weight }: Sample,
  parts: readonly string[],
  weights: readonly number[],
): boolean {
  const last = parts.length - names.length;
  // Below a named hidden folder, a star may be any of its folders.
  const minWeight = names[0]!.startsWith(".") && names.length > 1 ? Number.NEGATIVE_INFINITY : weight;
  for (let start = isFolder ? 0 : last; start >= 0 && start <= last; start++)
    if (
      weights[start]! >= weight &&
      names.every((name, n) => weights[start + n]! >= minWeight && matchesName(name, parts[start + n]!))
    )
      return true;
  return false;
}

/** A star never matches a leading dot. */
function matchesName(name: string, part: string): boolean {
  return !(name.startsWith(".") && WILD.test(part[0]!)) && matchesPart(part, name);
}

function withoutWild(part: string): string {
  return part.replace(/[*?]+|\[[^\]]*\]/g, "");
}

/** How much a glob reveals about the name: an extension alone nothing, a leading dot almost everything. */
function literalWeight(part: string): number {
  if (part.startsWith(".")) return 3;
  if (/^[*?]+$/.test(part)) return -1;
  const dot = part.lastIndexOf(".");
  const named = WILD.test(part[0] ?? "") && dot >= 0 ? part.slice(0, dot) : part;
  return withoutWild(named).length;
}

function matchesFully(parts: readonly string[], names: readonly string[]): boolean {
  return names.length === parts.length && names.every((name, n) => matchesName(name, parts[n]!));
}
