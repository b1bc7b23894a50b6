import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";

/** The path of an event as described in ARCHITECTURE.md, checked against the files. */

const root = join(import.meta.dirname, "../..");
const MAX_CHANGES = 10;

interface Step {
  readonly file: string;
  readonly reached: string;
}

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']/g;

function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function imports(from: string, to: string): boolean {
  return [...textOf(from).matchAll(IMPORT)].some(([, name]) => posix.join(posix.dirname(from), name!) === to);
}

function readTrace(text: string): Step[] {
  const section = text.split("## One event, from hook to page")[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `(src\/[^`]+)` \|[^|]*\| ?([^|]*?) ?\|$/gm)].map(([, file, reached]) => ({
    file: file!,
    reached: reached!,
  }));
}

/** Null when a step is reached as described. */
function findMismatch(step: Step, before: string): string | null {
  const { file, reached } = step;
  const toMessage = (why: string): string => `${file}: ${why}`;
  if (reached === "imports the one before")
    return imports(file, before) ? null : toMessage(`does not import ${before}`);
  if (reached === "imported by the one before")
    return imports(before, file) ? null : toMessage(`${before} does not import it`);
  const by = /^imported by `([^`]+)`$/.exec(reached)?.[1];
  if (by !== undefined) return imports(by, file) ? null : toMessage(`${by} does not import it`);
  const [, at, other = before] = /^joined in `([^`]+)`(?: with `([^`]+)`)?$/.exec(reached) ?? [];
  if (at !== undefined)
    return imports(at, file) && imports(at, other)
      ? null
      : toMessage(`${at} does not import it and ${other}`);
  const route = /^by HTTP, `([^`]+)`$/.exec(reached)?.[1];
  if (route !== undefined)
    return textOf(before).includes(`"${route}"`) && textOf(file).includes(`"${route}"`)
      ? null
      : toMessage(`${route} is not known to both`);
  return reached === "by disk" ? null : toMessage(`"${reached}" is not a way`);
}

function folderOf(path: string): string {
  return path.split("/")[1]!;
}

describe("the path of an event", () => {
  const steps = readTrace(textOf("ARCHITECTURE.md"));
  const files = steps.map(({ file }) => file);

  it("goes from the hook to the page through existing files", () => {
    expect(files.at(0)).toMatch(/^src\/hook\//);
    expect(files.at(-1)).toMatch(/^src\/web\/pages\//);
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("is connected as described", () => {
    const wrong = steps.slice(1).map((step, index) => findMismatch(step, files[index]!));
    expect(wrong.filter((why) => why !== null)).toEqual([]);
  });

  it("never returns to the composition, and changes folders at most ten times", () => {
    expect(files.filter((file) => file.startsWith("src/daemon/"))).toEqual([]);
    const folders = files.map(folderOf);
    const changes = folders.filter((folder, index) => index > 0 && folder !== folders[index - 1]);
    expect(changes.length).toBeLessThanOrEqual(MAX_CHANGES);
  });

  it.each([
    ["imports the one before", "src/capture/accept.ts"],
    ["imported by the one before", "src/web/pages/now.tsx"],
    ["joined in `src/daemon/scope.ts`", "src/capture/accept.ts"],
    ["by HTTP, `/api/stream`", "src/capture/accept.ts"],
    ["somehow", "src/capture/accept.ts"],
  ])("is rejected when it wrongly says %s", (reached, before) => {
    expect(findMismatch({ file: "src/store/facts.ts", reached }, before)).toContain("src/store/facts.ts");
  });
});
