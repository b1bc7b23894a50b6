import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { netDiff } from "../session/net-diff.ts";
import { hunksOf } from "./call-hunks.ts";
import { changedPart, countChanges, diffLines, type Hunk, toLines } from "./diff-lines.ts";

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
    const many = (sign: string) => Array.from({ length: 3_000 }, (_, n) => `${sign}${n}`).join("\n");
    expect(diffLines(many("a"), many("b"))).toHaveLength(6_000);
  });

  it("marks whole words that changed in a line, and nothing where little is common", () => {
    const part = changedPart("const total = sum(lines);", "const total = sum(open);")!;
    expect("const total = sum(lines);".slice(...part.old)).toBe("lines");
    expect("const total = sum(open);".slice(...part.new)).toBe("open");
    expect(changedPart("return 1;", "throw new Error()")).toBeNull();
    expect(changedPart("x".repeat(9_000), "x".repeat(9_001))).toBeNull();
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
    for (const odd of [null, 1, "x", [], [null], [{ lines: "x" }], [{ lines: [1] }], { edits: 4 }])
      expect(hunksOf("edit", odd, odd)).toEqual([]);
  });
});

describe("the net diff of a file", () => {
  const step = (oldStart: number, ...lines: string[]): Hunk[] => [{ oldStart, newStart: oldStart, lines }];

  it("is one change where a line was changed twice", () => {
    const net = netDiff([step(5, " x", "-one", "+two", " y"), step(5, " x", "-two", "+three", " y")]);
    expect(net).toEqual([{ oldStart: 5, newStart: 5, lines: [" x", "-one", "+three", " y"] }]);
  });

  it("is nothing where a change was taken back", () => {
    expect(netDiff([step(5, " x", "-one", "+two"), step(5, " x", "-two", "+one")])).toEqual([]);
    expect(netDiff([step(5, " x", "+new"), step(5, " x", "-new")])).toEqual([]);
  });

  it("moves what lies below a change", () => {
    const net = netDiff([step(1, " a", "+b", "+c"), step(20, "-old", "+new")]);
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
          return lines.every((one) => one.startsWith(" ")) ? [] : [{ oldStart: 1, newStart: 1, lines }];
        });
        const file: string[] = [...versions[0]!];
        for (const { oldStart, lines } of netDiff(patches).reverse())
          file.splice(oldStart - 1, before(lines).length, ...after(lines));
        expect(file).toEqual(versions.at(-1));
      }),
    );
  });

  it("counts lines", () => {
    expect(countChanges(step(1, " a", "+b", "+c", "-d"))).toEqual({ added: 2, removed: 1 });
  });
});
