import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMarks } from "./find-marks.ts";

describe("findMarks", () => {
  it("finds every word, in any case and script", () => {
    expect(findMarks("Retry the retry", "RETRY")).toEqual([
      [0, 5],
      [10, 15],
    ]);
    expect(findMarks("결제 재시도를 추가", "재시도")).toEqual([[3, 6]]);
  });

  it("merges overlapping marks", () => {
    expect(findMarks("payments", "payment ments")).toEqual([[0, 8]]);
  });

  it("marks nothing for single letters or without a match", () => {
    expect([findMarks("abc", "x"), findMarks("abc", "a"), findMarks("abc", "")]).toEqual([[], [], []]);
  });

  it("returns ascending ranges within the text, for any text and query", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (text, query) => {
        let previousEnd = 0;
        for (const [from, to] of findMarks(text, query)) {
          expect(from).toBeGreaterThanOrEqual(previousEnd);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(text.length);
          previousEnd = to;
        }
      }),
    );
  });
});
