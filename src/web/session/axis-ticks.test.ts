import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisTicks, dollarTick, labelEvery } from "./axis-ticks.ts";

describe("axis ticks", () => {
  it("are at most five round values from 0 to the maximum", () => {
    expect(axisTicks(210_000)).toEqual([0, 100_000, 200_000, 300_000]);
    expect(axisTicks(1_000_000)).toEqual([0, 250_000, 500_000, 750_000, 1_000_000]);
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e12, noNaN: true }), (max) => {
        const ticks = axisTicks(max);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)! >= max * 0.999).toBe(true);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThanOrEqual(5);
      }),
    );
  });

  it("have just enough digits to tell them apart", () => {
    const labels = (max: number) => {
      const ticks = axisTicks(max);
      return ticks.map((tick) => dollarTick(tick, ticks[1]!));
    };
    expect(labels(210_000)).toEqual(["$0.00", "$0.10", "$0.20", "$0.30"]);
    expect(labels(9_000)).toEqual(["$0.0000", "$0.0025", "$0.0050", "$0.0075", "$0.0100"]);
    expect(labels(40_000_000)).toEqual(["$0.00", "$10.00", "$20.00", "$30.00", "$40.00"]);
  });

  it("are labelled sparsely when there are many", () => {
    expect([3, 12, 13, 60, 400].map((count) => labelEvery(count, 12))).toEqual([1, 1, 2, 5, 50]);
  });
});
