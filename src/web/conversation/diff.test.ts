import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { netDiff } from "../session/net-diff.ts";
import { hunksOf } from "./call-hunks.ts";
import { changedWords, countChanges, diffLines, type Hunk, markChanges, toLines } from "./diff-lines.ts";
import { highlightLines, type Token } from "./highlight.ts";
import { EXTENSIONS, type Language, languageOfPath } from "./language-of-path.ts";
import { highlightHunk, markTokens } from "./line-tokens.ts";

const oldSide = (lines: readonly string[]): string[] =>
  lines.filter((line) => line[0] !== "+").map((line) => line.slice(1));
const newSide = (lines: readonly string[]): string[] =>
  lines.filter((line) => line[0] !== "-").map((line) => line.slice(1));

describe("diffLines", () => {
  it("contains both texts, whatever they are", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const lines = diffLines(a, b);
        expect(oldSide(lines)).toEqual(toLines(a));
        expect(newSide(lines)).toEqual(toLines(b));
      }),
    );
  });

  it("keeps unchanged lines", () => {
    expect(diffLines("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
  });

  it("replaces everything when there are too many edits", () => {
    const manyLines = (sign: string) => Array.from({ length: 3_000 }, (_, n) => `${sign}${n}`).join("\n");
    expect(diffLines(manyLines("a"), manyLines("b"))).toHaveLength(6_000);
  });

  it("marks changed words, unless the lines have little in common", () => {
    const [old, now] = ["const total = sum(lines, 1);", "const total = sum(open, 2);"];
    const changed = changedWords(old, now)!;
    expect(changed.old.map((range) => old.slice(...range))).toEqual(["lines", "1"]);
    expect(changed.new.map((range) => now.slice(...range))).toEqual(["open", "2"]);
    expect(changedWords("return 1;", "throw new Error()")).toBeNull();
    expect(changedWords("x".repeat(9_000), "x".repeat(9_001))).toBeNull();
  });

  it("pairs removed lines only with as many added lines", () => {
    expect([...markChanges(["-let a = 1;", "+let a = 2;", " x", "-let b = 1;"]).keys()]).toEqual([0, 1]);
    expect(markChanges(["-let a = 1;", "+let a = 2;", "+let b = 2;"]).size).toBe(0);
  });
});

describe("diff tokens", () => {
  const languages = Object.keys(EXTENSIONS) as Language[];
  const joined = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join("");

  it("add up to the original lines in every language", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom("/* a", "`$", "{x", '"', "<b>&amp;", "'''", "\u202e#", "<?php", "```"),
    );
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.array(line, { minLength: 1 }), (language, lines) => {
        expect(highlightLines(lines, language).map(joined)).toEqual(lines);
      }),
    );
  });

  it("are split at the bounds of changed words", () => {
    const line = "const total = sum(lines);";
    const [tokens] = highlightLines([line], "typescript");
    const marked = markTokens(tokens!, [
      [6, 11],
      [16, 18],
    ]);
    expect(joined(marked)).toBe(line);
    expect(joined(marked.filter(({ isChanged }) => isChanged))).toBe("totalm(");
    expect(marked[0]).toEqual({ text: "const", className: "hljs-keyword", isChanged: false });
  });

  it("continue multi-line tokens on both sides of a change", () => {
    const hunk = { oldStart: 1, newStart: 1, lines: [" /* a", "-b */", "+b", " c */"] };
    const tokens = highlightHunk(hunk, (lines) => highlightLines(lines, "typescript"));
    expect(tokens.get(2)).toEqual([{ text: "b", className: "hljs-comment" }]);
    expect(tokens.get(3)).toEqual([{ text: "c */", className: "hljs-comment" }]);
  });

  it("depend on the file's extension", () => {
    const paths = ["a.ts", "/x/b.PY", "c.tar.gz", "Makefile", "d.constructor"];
    expect(paths.map(languageOfPath)).toEqual(["typescript", "python", null, null, null]);
  });
});

describe("a call's hunks", () => {
  it("come from the agent's own patch if there is one", () => {
    const patch = [{ oldStart: 3, oldLines: 1, newStart: 3, newLines: 1, lines: ["-a", "+b"] }];
    expect(hunksOf("edit", { old_string: "x", new_string: "y" }, patch)).toEqual([
      { oldStart: 3, newStart: 3, lines: ["-a", "+b"] },
    ]);
  });

  it("come from the input of Edit, MultiEdit and Write otherwise", () => {
    expect(hunksOf("edit", { old_string: "a", new_string: "b" }, null)[0]?.lines).toEqual(["-a", "+b"]);
    expect(hunksOf("write", { content: "a\nb\n" }, [])[0]?.lines).toEqual(["+a", "+b"]);
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c", new_string: "" },
    ];
    expect(hunksOf("edit", { edits }, undefined).map(({ lines }) => lines)).toEqual([["-a", "+b"], ["-c"]]);
  });

  it("are empty for malformed input", () => {
    for (const malformed of [null, 1, "x", [], [null], [{ lines: "x" }], [{ lines: [1] }], { edits: 4 }])
      expect(hunksOf("edit", malformed, malformed)).toEqual([]);
  });
});

describe("netDiff", () => {
  const patch = (oldStart: number, ...lines: string[]): Hunk[] => [{ oldStart, newStart: oldStart, lines }];

  it("merges two changes of the same line", () => {
    const net = netDiff([patch(5, " x", "-one", "+two", " y"), patch(5, " x", "-two", "+three", " y")]);
    expect(net).toEqual([{ oldStart: 5, newStart: 5, lines: [" x", "-one", "+three", " y"] }]);
  });

  it("is empty when a change was reverted", () => {
    expect(netDiff([patch(5, " x", "-one", "+two"), patch(5, " x", "-two", "+one")])).toEqual([]);
    expect(netDiff([patch(5, " x", "+new"), patch(5, " x", "-new")])).toEqual([]);
  });

  it("shifts hunks below a change", () => {
    const net = netDiff([patch(1, " a", "+b", "+c"), patch(20, "-old", "+new")]);
    expect(net).toEqual([
      { oldStart: 1, newStart: 1, lines: [" a", "+b", "+c"] },
      { oldStart: 18, newStart: 20, lines: ["-old", "+new"] },
    ]);
  });

  it("equals the diff between the first and the last version", () => {
    const line = fc.constantFrom("a", "b", "c", "d");
    const texts = fc.array(fc.array(line, { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(texts, (versions) => {
        const patches = versions.slice(1).map((version, index): Hunk[] => {
          const lines = diffLines(versions[index]!.join("\n"), version.join("\n"));
          return lines.every((text) => text.startsWith(" ")) ? [] : [{ oldStart: 1, newStart: 1, lines }];
        });
        const file: string[] = [...versions[0]!];
        for (const { oldStart, lines } of netDiff(patches).reverse())
          file.splice(oldStart - 1, oldSide(lines).length, ...newSide(lines));
        expect(file).toEqual(versions.at(-1));
      }),
    );
  });

  it("counts added and removed lines", () => {
    expect(countChanges(patch(1, " a", "+b", "+c", "-d"))).toEqual({ added: 2, removed: 1 });
  });
});
