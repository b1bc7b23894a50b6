import { describe, expect, it } from "vitest";
import type { UsageDay, UsageReport } from "../../serve/usage-contract.ts";
import { dayRange, firstDay, OTHERS, stacksOf } from "./usage-days.ts";

const NOW = new Date(2026, 2, 15, 13, 30).getTime();
const NO_TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function day(name: string, parts: Readonly<Record<string, number | null>>, waitMs = 0): UsageDay {
  return {
    day: name,
    costMicros: null,
    tokens: NO_TOKENS,
    sessions: 1,
    turns: 1,
    waitMs,
    parts: Object.entries(parts).map(([key, costMicros]) => ({
      key,
      costMicros,
      tokens: { ...NO_TOKENS, input: 10, cacheRead: 5 },
    })),
  };
}

function report(...days: UsageDay[]): UsageReport {
  const cost = { micros: 0, source: "estimate" as const, unpricedModels: [] };
  return { since: "", cost, pricesOf: "", sessions: 0, days, projects: [], models: [], tools: [] };
}

describe("chart days", () => {
  it("cover the whole range and end today", () => {
    expect(dayRange(3, NOW)).toEqual(["2026-03-13", "2026-03-14", "2026-03-15"]);
    expect(firstDay(3, NOW)).toEqual(new Date(2026, 2, 13));
    expect(new Set(dayRange(90, NOW)).size).toBe(90);
  });

  it("are stacked largest first, with zero for missing values", () => {
    const names = dayRange(3, NOW);
    const stacks = stacksOf(report(day(names[0]!, { a: 1, b: 5 }), day(names[2]!, { a: 1 })), names, "cost");
    expect(stacks).toEqual([
      { key: "b", values: [5, 0, 0], total: 5 },
      { key: "a", values: [1, 0, 1], total: 2 },
    ]);
  });

  it("include unpriced models in tokens but not in costs", () => {
    const names = dayRange(1, NOW);
    const usage = report(day(names[0]!, { mystery: null }));
    expect(stacksOf(usage, names, "cost")).toEqual([]);
    expect(stacksOf(usage, names, "tokens")).toEqual([{ key: "mystery", values: [15], total: 15 }]);
  });

  it("combine everything beyond the largest stacks", () => {
    const names = dayRange(1, NOW);
    const stacks = stacksOf(report(day(names[0]!, { a: 9, b: 8, c: 7, d: 6, e: 2, f: 1 })), names, "cost");
    expect(stacks.map(({ key, total }) => [key, total])).toEqual([
      ["a", 9],
      ["b", 8],
      ["c", 7],
      ["d", 6],
      [OTHERS, 3],
    ]);
  });

  it("have a single stack for waits", () => {
    const names = dayRange(2, NOW);
    expect(stacksOf(report(day(names[1]!, { a: 1 }, 500)), names, "waits")).toEqual([
      { key: null, values: [0, 500], total: 500 },
    ]);
  });
});
