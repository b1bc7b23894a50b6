import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { subtractWaits } from "./timeline-shape.ts";

const Span = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 30 }))
  .map(([from, long]) => [from, from + long] as const);

const holds = (spans: readonly (readonly [number, number])[], at: number): boolean =>
  spans.some(([from, to]) => from < at && at < to);

describe("what goes on outside the waits", () => {
  it("is all of a call but the time in which a person was missing", () => {
    expect(
      subtractWaits(
        [
          [0, 10],
          [20, 30],
        ],
        [
          [25, 40],
          [2, 4],
        ],
      ),
    ).toEqual([
      [0, 2],
      [4, 10],
      [20, 25],
      [30, 30],
    ]);
  });

  it("is right at every moment, however calls and waits lie", () => {
    fc.assert(
      fc.property(fc.array(Span), fc.array(Span), (spans, waits) => {
        const left = subtractWaits(spans, waits);
        for (let at = 0.5; at < 100; at++)
          expect(holds(left, at)).toBe(holds(spans, at) && !holds(waits, at));
        // Its ends stay known, so that the timeline is as long as the session.
        for (const [from, to] of spans) {
          expect(left.some(([begins]) => begins === from)).toBe(true);
          expect(left.some(([, ends]) => ends === to)).toBe(true);
        }
      }),
    );
  });
});
