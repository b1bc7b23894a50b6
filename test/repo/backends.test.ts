import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";

/** A backend is known only to whoever puts the parts together. Everybody else sees the interface beside its folder. */
const ROOTS: Readonly<Record<string, readonly string[]>> = {
  log: [
    // The daemon.
    "src/daemon.ts",
    // Commands that only read.
    "src/cli/open-log.ts",
    // The library.
    "src/monitor/lifecycle-session-monitor.ts",
  ],
};

const root = join(import.meta.dirname, "../..");
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']/g;

/** Pairs of importer and imported file, where the second is of a backend of that seam and the first is not. */
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

  it("is imported by its composition roots, and by nobody else", () => {
    expect(found.length).toBeGreaterThan(0);
    expect([...new Set(found.map(([path]) => path))].toSorted()).toEqual([...allowed].toSorted());
  });
});
