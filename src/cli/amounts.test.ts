import { describe, expect, it } from "vitest";
import { countText, plural, spentText } from "./amounts.ts";

describe("an amount", () => {
  it("of money is omitted if it rounds to zero cents", () => {
    expect(spentText({ micros: 4_999, source: "reported", unpricedModels: [] })).toBe(null);
    expect(spentText({ micros: 5_000, source: "reported", unpricedModels: [] })).toBe("$0.01");
    expect(spentText({ micros: null, source: "unpriced", unpricedModels: [] })).toBe(null);
  });

  it("of tokens is abbreviated", () => {
    expect([0, 999, 1_000, 88_400, 999_499, 999_500, 1_240_000].map(countText)).toEqual([
      ...["0", "999", "1k", "88k", "999k", "1.0M", "1.2M"],
    ]);
  });

  it("of items agrees in number", () => {
    expect([plural(1, "turn"), plural(2, "turn"), plural(0, "turn")]).toEqual([
      "1 turn",
      "2 turns",
      "0 turns",
    ]);
  });
});
