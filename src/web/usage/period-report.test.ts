import { describe, expect, it } from "vitest";
import type { UsageDay } from "../../serve/usage-contract.ts";
import { changeText, totalsBefore, totalsOf } from "./compare-periods.ts";
import { toCsv } from "./usage-csv.ts";

const day = (name: string, overrides: Partial<UsageDay> = {}): UsageDay => ({
  day: name,
  costMicros: 1_500_000,
  tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
  sessions: 2,
  turns: 5,
  waitMs: 61_400,
  parts: [],
  ...overrides,
});

describe("the previous period", () => {
  const days = [day("2026-10-30"), day("2026-11-02", { costMicros: null }), day("2026-11-03")];

  it("sums the days before the first shown day", () => {
    expect(totalsBefore(days, "2026-11-03")).toEqual({ costMicros: 1_500_000, tokens: 20, waitMs: 122_800 });
    expect(totalsOf(days).tokens).toBe(30);
  });

  it("is null without activity", () => {
    expect(totalsBefore(days, "2026-10-30")).toBe(null);
  });

  it.each([
    [112, 100, "+12%"],
    [92, 100, "-8%"],
    [100, 100, "±0%"],
    [5, 0, null],
  ])("formats a change to %i from %i as %s", (now, before, text) => {
    expect(changeText(now, before)).toBe(text);
  });
});

it("exports the days as CSV, with an empty cost for unpriced days", () => {
  expect(toCsv([day("2026-11-02", { costMicros: null }), day("2026-11-03")])).toBe(
    [
      "day,cost_usd,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,sessions,turns,waited_seconds",
      "2026-11-02,,1,2,3,4,2,5,61",
      "2026-11-03,1.500000,1,2,3,4,2,5,61",
      "",
    ].join("\r\n"),
  );
});
