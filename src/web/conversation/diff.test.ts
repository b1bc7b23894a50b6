import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { netDiff } from "../session/net-diff.ts";
import { hunksOf } from "./call-hunks.ts";
import { changedWords, countChanges, diffLines, type Hunk, markChanges, toLines } from "./diff-lines.ts";
import { highlightLines, type Token } from "./highlight.ts";
import { EXTENSIONS, type Language, languageOfPath } from "./language-of-path.ts";
import { highlightHunk, markTokens } from "./line-tokens.ts";

const before = (lines: readonly string[]): string[] =>
  lines.filter((line) => line[0] !== "+").map((line) => line.slice(1));
const after = (lines: readonly string[]): string[] =>
  lines.filter((line) => line[0] !== "-").map((line) => line.slice(1));

describe("the diff of two texts", () => {
  it("has both texts in it, whatever they are", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const lines = diffLines(a, b);
        expect(before(lines)).toEqual(toLines(a));
        expect(after(lines)).toEqual(toLines(b));
      }),
    );
  });

  it("keeps what stays", () => {
    expect(diffLines("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
  });

  it("replaces the whole when both are huge", () => {
    const manyLines = (sign: string) => Array.from({ length: 3_000 }, (_, n) => `${sign}${n}`).join("\n");
    expect(diffLines(manyLines("a"), manyLines("b"))).toHaveLength(6_000);
  });

  it("marks each word that changed in a line, and nothing where little is common", () => {
    const [old, now] = ["const total = sum(lines, 1);", "const total = sum(open, 2);"];
    const changed = changedWords(old, now)!;
    expect(changed.old.map((range) => old.slice(...range))).toEqual(["lines", "1"]);
    expect(changed.new.map((range) => now.slice(...range))).toEqual(["open", "2"]);
    expect(changedWords("return 1;", "throw new Error()")).toBeNull();
    expect(changedWords("x".repeat(9_000), "x".repeat(9_001))).toBeNull();
  });

  it("pairs removed lines with as many added ones, and no others", () => {
    expect([...markChanges(["-let a = 1;", "+let a = 2;", " x", "-let b = 1;"]).keys()]).toEqual([0, 1]);
    expect(markChanges(["-let a = 1;", "+let a = 2;", "+let b = 2;"]).size).toBe(0);
  });
});

describe("the tokens of a diff", () => {
  const languages = Object.keys(EXTENSIONS) as Language[];
  const joined = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join("");

  it("are the lines again in every language, whatever is in them", () => {
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

  it("are split where a changed word begins or ends, and lose nothing", () => {
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

  it("know what a line before them began, on either side of a change", () => {
    const hunk = { oldStart: 1, newStart: 1, lines: [" /* a", "-b */", "+b", " c */"] };
    const tokens = highlightHunk(hunk, (lines) => highlightLines(lines, "typescript"));
    expect(tokens.get(2)).toEqual([{ text: "b", className: "hljs-comment" }]);
    expect(tokens.get(3)).toEqual([{ text: "c */", className: "hljs-comment" }]);
  });

  it("follow the extension of the file", () => {
    const paths = ["a.ts", "/x/b.PY", "c.tar.gz", "Makefile", "d.constructor"];
    expect(paths.map(languageOfPath)).toEqual(["typescript", "python", null, null, null]);
  });
});

describe("what a call changed", () => {
  it("is the agent's own patch where there is one", () => {
    const patch = [{ oldStart: 3, oldLines: 1, newStart: 3, newLines: 1, lines: ["-a", "+b"] }];
    expect(hunksOf("edit", { old_string: "x", new_string: "y" }, patch)).toEqual([
      { oldStart: 3, newStart: 3, lines: ["-a", "+b"] },
    ]);
  });

  it("comes from the texts of Edit, MultiEdit and Write else", () => {
    expect(hunksOf("edit", { old_string: "a", new_string: "b" }, null)[0]?.lines).toEqual(["-a", "+b"]);
    expect(hunksOf("write", { content: "a\nb\n" }, [])[0]?.lines).toEqual(["+a", "+b"]);
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c", new_string: "" },
    ];
    expect(hunksOf("edit", { edits }, undefined).map(({ lines }) => lines)).toEqual([["-a", "+b"], ["-c"]]);
  });

  it("bears any shape", () => {
    for (const malformed of [null, 1, "x", [], [null], [{ lines: "x" }], [{ lines: [1] }], { edits: 4 }])
      expect(hunksOf("edit", malformed, malformed)).toEqual([]);
  });
});

describe("the net diff of a file", () => {
  const patch = (oldStart: number, ...lines: string[]): Hunk[] => [{ oldStart, newStart: oldStart, lines }];

  it("is one change where a line was changed twice", () => {
    const net = netDiff([patch(5, " x", "-one", "+two", " y"), patch(5, " x", "-two", "+three", " y")]);
    expect(net).toEqual([{ oldStart: 5, newStart: 5, lines: [" x", "-one", "+three", " y"] }]);
  });

  it("is nothing where a change was taken back", () => {
    expect(netDiff([patch(5, " x", "-one", "+two"), patch(5, " x", "-two", "+one")])).toEqual([]);
    expect(netDiff([patch(5, " x", "+new"), patch(5, " x", "-new")])).toEqual([]);
  });

  it("moves what lies below a change", () => {
    const net = netDiff([patch(1, " a", "+b", "+c"), patch(20, "-old", "+new")]);
    expect(net).toEqual([
      { oldStart: 1, newStart: 1, lines: [" a", "+b", "+c"] },
      { oldStart: 18, newStart: 20, lines: ["-old", "+new"] },
    ]);
  });

  it("is what it would be between the first text and the last", () => {
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
          file.splice(oldStart - 1, before(lines).length, ...after(lines));
        expect(file).toEqual(versions.at(-1));
      }),
    );
  });

  it("counts lines", () => {
    expect(countChanges(patch(1, " a", "+b", "+c", "-d"))).toEqual({ added: 2, removed: 1 });
  });
});
