import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "./growth.testing.ts";
import { TRUNCATION_MARKER, truncateOutput } from "./truncate.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join("\n");

describe("truncateOutput", () => {
  it("uses a fixed marker", () => {
    expect(TRUNCATION_MARKER).toBe("\n...[TRUNCATED]...\n");
  });

  it.each(["read", "edit", "agent", "mcp", "other"] as const)("keeps 50 lines at each end for %j", (tool) => {
    expect(truncateOutput(tool, numbered(100))).toBe(numbered(100));
    const lines = truncateOutput(tool, numbered(1_000)).split("\n");
    expect(lines).toHaveLength(101);
    expect(lines.slice(49, 52)).toEqual(["line 50", "...[TRUNCATED]...", "line 951"]);
    expect(lines.at(-1)).toBe("line 1000");
  });

  it("keeps shell output up to the limit, then both ends", () => {
    expect(truncateOutput("shell", numbered(900))).toBe(numbered(900));
    const cut = truncateOutput("shell", numbered(5_000));
    expect(cut.length).toBeLessThanOrEqual(10_000);
    expect(cut.length).toBeGreaterThan(9_900);
    expect(cut.startsWith("line 1\nline 2\n")).toBe(true);
    expect(cut.endsWith("\nline 4999\nline 5000")).toBe(true);
    expect(cut.split(TRUNCATION_MARKER)).toHaveLength(2);
  });

  it("gives one end the space that the other does not need", () => {
    const text = `${"short\n".repeat(60)}${`${"x".repeat(150)}\n`.repeat(60)}`;
    const cut = truncateOutput("read", text);
    expect(cut.startsWith("short\n".repeat(49))).toBe(true);
    expect(cut.split("\n").length).toBe(101);
  });

  it("cuts a single long line at both ends", () => {
    const cut = truncateOutput("read", `${"a".repeat(20_000)}${"b".repeat(20_000)}`);
    expect(cut.length).toBeLessThanOrEqual(10_000);
    expect(cut).toMatch(/^a{4900,}\n\.\.\.\[TRUNCATED\]\.\.\.\nb{4900,}$/);
  });

  it("keeps the first 500 characters of a web page", () => {
    expect(truncateOutput("fetch", "x".repeat(600))).toBe("x".repeat(500));
    expect(truncateOutput("fetch", `${"x".repeat(499)}😀`)).toBe("x".repeat(499));
  });

  it.each([
    [
      "content with numbers",
      "src/a.ts:12:const x = 1;\nsrc/a.ts:13:y\nsrc/b.ts:1:z: 3",
      "src/a.ts\nsrc/b.ts",
    ],
    [
      "content with context",
      "src/a.ts-11-before\nsrc/a.ts:12:hit\nsrc/a.ts-13-after\n--\nsrc/b.ts:1:hit",
      "src/a.ts\nsrc/b.ts",
    ],
    ["content without numbers", "src/a.ts:const x = 1;\n/abs/b.py:def f():", "src/a.ts\n/abs/b.py"],
    ["a list of files", "Found 2 files\nsrc/a.ts\nREADME.md", "src/a.ts\nREADME.md"],
    ["counts", "src/a.ts:3\nsrc/b.ts:1\n\nFound 4 total occurrences across 2 files.", "src/a.ts\nsrc/b.ts"],
    ["dated names", "docs/2026-02-01-plan.md:3:x\ndocs/2026-02-01-plan.md", "docs/2026-02-01-plan.md"],
    ["paths with blanks", "My Notes/a file.txt:3:x", "My Notes/a file.txt"],
    ["lines of one file", "12:const x = 1;\n13:const y = 2;", "12:const x = 1;\n13:const y = 2;"],
    ["nothing", "No matches found", "No matches found"],
    ["nothing at all", "", ""],
  ])("lists only the files in search output: %s", (_, text, expected) => {
    expect(truncateOutput("search", text)).toBe(expected);
  });

  it("keeps only complete paths of a glob", () => {
    expect(
      truncateOutput("glob", "/a/b.ts\n/a/c.ts\n(Results are truncated. Consider a more specific path.)"),
    ).toBe("/a/b.ts\n/a/c.ts");
    const paths = Array.from({ length: 3_000 }, (_, n) => `/home/dev/project/src/file-${n}.ts`);
    const result = truncateOutput("glob", paths.join("\n"));
    expect(result.length).toBeLessThanOrEqual(10_000);
    expect(result.length).toBeGreaterThan(9_800);
    for (const path of result.split("\n")) expect([...paths, TRUNCATION_MARKER.trim()]).toContain(path);
    expect(result.endsWith("file-2999.ts")).toBe(true);
  });

  it("never splits a surrogate pair", () => {
    for (const pad of ["", "a", "ab", "abc"]) {
      for (const tool of ["shell", "read", "fetch"] as const) {
        expect(truncateOutput(tool, `${pad}${"😀".repeat(9_000)}`).isWellFormed()).toBe(true);
      }
    }
  });

  it("never splits a mask", () => {
    for (let pad = 0; pad < 25; pad++) {
      const text = `${"a".repeat(pad)}${"[REDACTED:github-token] ".repeat(1_000)}`;
      for (const tool of ["shell", "fetch"] as const) {
        const rest = truncateOutput(tool, text).replaceAll("[REDACTED:github-token]", "");
        expect(rest).toMatch(/^a* *(?:\n\.\.\.\[TRUNCATED\]\.\.\.\n *)?$/);
      }
    }
  });

  it("is idempotent and stays within the limit, for any text and tool", () => {
    const tool = fc.constantFrom("read", "shell", "search", "glob", "fetch", "other");
    const part = fc.oneof(
      fc.constantFrom(
        "\n",
        "\n\n",
        "a/b.ts",
        "a.ts:1:",
        "x-1-",
        " ",
        ":",
        TRUNCATION_MARKER,
        "...[TRUNCATED]...",
        "😀",
      ),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(tool, fc.array(part), fc.integer({ min: 1, max: 2_000 }), (name, parts, times) => {
        const once = truncateOutput(name, parts.join("").repeat(times).slice(0, 200_000));
        expect(once.length).toBeLessThanOrEqual(10_000);
        expect(truncateOutput(name, once)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });

  it("takes linear time", () => {
    for (const tool of ["shell", "search", "read"] as const) {
      for (const part of ["\n", "a", "a/b.ts:1:x\n", "a.b-1", ":"]) {
        expect(
          growth((text) => truncateOutput(tool, text), part, 65_536),
          `${tool} ${part}`,
        ).toBeLessThan(24);
      }
    }
  });
});
