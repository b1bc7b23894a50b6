import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSnippet } from "./snippet.ts";

const marked = (text: string, query: string, most?: number): string[] => {
  const { snippet, marks } = buildSnippet(text, query, most);
  return marks.map(([from, to]) => snippet.slice(from, to));
};

describe("a snippet", () => {
  it("marks words, also in another form", () => {
    expect(marked("Retried the failed uploads.", "upload failure retry")).toEqual([
      "Retried",
      "failed",
      "uploads",
    ]);
    expect(marked("parsing parsed parse", "parse")).toEqual(["parsing", "parsed", "parse"]);
  });

  it("marks a name whole when it was asked for, else its parts", () => {
    expect(marked("calls getUserName()", "get_user_name")).toEqual(["getUserName"]);
    expect(marked("calls getUserName()", "user")).toEqual(["User"]);
  });

  it("marks Korean inside of words", () => {
    expect(marked("어제 데이터베이스를 다시 연결했다", "데이터베이스 연결")).toEqual([
      "데이터베이스",
      "연결",
    ]);
  });

  it("is where most of what was asked stands, and says that it is a part", () => {
    const text = `${"filler words here ".repeat(40)}the ledger lock timed out ${"and more of it ".repeat(40)}`;
    const { snippet, marks } = buildSnippet(text, "ledger lock", 80);
    expect(snippet).toMatch(/^…\S.*ledger lock timed out.*\S…$/);
    expect(marks).toHaveLength(2);
    expect(snippet.length).toBeLessThanOrEqual(82);
  });

  it("is the beginning when nothing was found, and on one line", () => {
    expect(buildSnippet("first\nsecond", "zzz")).toEqual({ snippet: "first second", marks: [] });
  });

  it("marks only what is inside, in order and apart", () => {
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
