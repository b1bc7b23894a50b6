import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";

/** Only composition roots know a backend. Everything else uses the interface beside its folder. */
const ROOTS: Readonly<Record<string, readonly string[]>> = {
  log: [
    // The daemon.
    "src/daemon/doctor.ts",
    "src/daemon/log-and-store.ts",
    // Commands that only read.
    "src/cli/open-log.ts",
    // The library.
    "src/monitor/lifecycle-session-monitor.ts",
  ],
  store: [
    // The daemon.
    "src/daemon/doctor.ts",
    "src/daemon/log-and-store.ts",
    "src/daemon/remembering/remembering.ts",
    // Commands that only read.
    "src/cli/open-store.ts",
    "src/cli/top/read-stored-sessions.ts",
  ],
};

/** Other files that import a backend, and why. The list only gets shorter. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  log: {},
  store: {
    "src/doctor/database.ts": "looks at the SQLite file itself, also at one that no store can be opened on",
    "src/doctor/quick-check.ts": "looks at every page of the SQLite file",
    "src/doctor/runtime.ts": "looks whether this Node has a SQLite with full-text search",
    "src/daemon/curation.ts": "reads claude-mem's database, which is SQLite whatever ours is",
    "src/memory/search/index-db.ts": "the search index is a SQLite file of its own, and shares the helpers",
    "src/memory/search/local-index.ts": "makes the search index again when its file is corrupt",
  },
};

const EXCEPTION_COUNTS: Readonly<Record<string, number>> = { log: 0, store: 6 };

const root = join(import.meta.dirname, "../..");
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']/g;

/** Pairs of importer and imported file, where only the second belongs to a backend of that seam. */
function backendImports(seam: string): [string, string][] {
  const paths = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => `src/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|testing)\.tsx?$/.test(path));
  const backend = new RegExp(`^src/${seam}/([^/]+)/`);
  return paths.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(IMPORT)]
      .map((match) => posix.join(posix.dirname(path), match[1]!))
      .filter((target) => backend.test(target) && backend.exec(target)![1] !== backend.exec(path)?.[1])
      .map((target): [string, string] => [path, target]),
  );
}

describe.each(Object.entries(ROOTS))("a backend of %s", (seam, allowed) => {
  const found = backendImports(seam);

  it("is imported only by its composition roots", () => {
    expect(found.length).toBeGreaterThan(0);
    const known = [...allowed, ...Object.keys(EXCEPTIONS[seam]!)];
    expect([...new Set(found.map(([path]) => path))].toSorted()).toEqual(known.toSorted());
  });

  it("has as many exceptions as counted", () => {
    expect(Object.keys(EXCEPTIONS[seam]!)).toHaveLength(EXCEPTION_COUNTS[seam]!);
  });
});
