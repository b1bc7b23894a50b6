import { expect, it } from "vitest";
import { costText, estimateText, microsText } from "./cost-text.ts";

it("marks an estimate with ~ and an incomplete sum with +", () => {
  expect(costText({ micros: 1_904_000, source: "reported", unpricedModels: [] })).toBe("$1.90");
  expect(costText({ micros: 1_904_000, source: "estimate", unpricedModels: [] })).toBe("~$1.90");
  expect(costText({ micros: 12_345_678_900, source: "estimate", unpricedModels: ["x"] })).toBe("~$12346+");
  expect(costText({ micros: null, source: "unpriced", unpricedModels: ["x"] })).toBe(null);
});

it("shows cents below a thousand dollars", () => {
  expect([0, 1_800, 40_000, 12_345_000, 123_456_000, 1_234_560_000].map(microsText)).toEqual([
    ...["$0.00", "$0.00", "$0.04", "$12.35", "$123.46", "$1235"],
  ]);
  expect([estimateText(12_345_000), estimateText(null)]).toEqual(["~$12.35", null]);
});
