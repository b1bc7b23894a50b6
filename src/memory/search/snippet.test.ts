import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSnippet } from "./snippet.ts";

const markedTexts = (text: string, query: string, maxChars?: number): string[] => {
  const { snippet, marks } = buildSnippet(text, query, maxChars);
  return marks.map(([from, to]) => snippet.slice(from, to));
};

describe("buildSnippet", () => {
  it("marks words, also in other forms", () => {
    expect(markedTexts("Retried the failed uploads.", "upload failure retry")).toEqual([
      "Retried",
      "failed",
      "uploads",
    ]);
    expect(markedTexts("parsing parsed parse", "parse")).toEqual(["parsing", "parsed", "parse"]);
  });

  it("marks a whole name if it was queried, and otherwise its parts", () => {
    expect(markedTexts("calls getUserName()", "get_user_name")).toEqual(["getUserName"]);
    expect(markedTexts("calls getUserName()", "user")).toEqual(["User"]);
  });

  it("marks Korean within words", () => {
    expect(markedTexts("어제 데이터베이스를 다시 연결했다", "데이터베이스 연결")).toEqual([
      "데이터베이스",
      "연결",
    ]);
  });

  it("shows the part with the most matches, with ellipses", () => {
    const text = `${"filler words here ".repeat(40)}the ledger lock timed out ${"and more of it ".repeat(40)}`;
    const { snippet, marks } = buildSnippet(text, "ledger lock", 80);
    expect(snippet).toMatch(/^…\S.*ledger lock timed out.*\S…$/);
    expect(marks).toHaveLength(2);
    expect(snippet.length).toBeLessThanOrEqual(82);
  });

  it("shows the start when nothing matches, on one line", () => {
    expect(buildSnippet("first\nsecond", "zzz")).toEqual({ snippet: "first second", marks: [] });
  });

  it("returns ordered, separate marks within the snippet", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (text, query) => {
        const { snippet, marks } = buildSnippet(text + query, query, 20);
        let last = 0;
        for (const [from, to] of marks) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          last = to;
        }
        expect(last).toBeLessThanOrEqual(snippet.length);
        expect(snippet.isWellFormed() || !(text + query).isWellFormed()).toBe(true);
      }),
    );
  });
});
