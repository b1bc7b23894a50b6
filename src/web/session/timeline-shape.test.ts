import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { subtractWaits } from "./timeline-shape.ts";

const Span = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 30 }))
  .map(([from, length]) => [from, from + length] as const);

const covers = (spans: readonly (readonly [number, number])[], time: number): boolean =>
  spans.some(([from, to]) => from < time && time < to);

describe("subtractWaits", () => {
  it("removes the waits from the spans", () => {
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

  it("is correct at every moment, for any spans and waits", () => {
    fc.assert(
      fc.property(fc.array(Span), fc.array(Span), (spans, waits) => {
        const rest = subtractWaits(spans, waits);
        for (let time = 0.5; time < 100; time++)
          expect(covers(rest, time)).toBe(covers(spans, time) && !covers(waits, time));
        // The ends stay, so the timeline is as long as the session.
        for (const [from, to] of spans) {
          expect(rest.some(([start]) => start === from)).toBe(true);
          expect(rest.some(([, end]) => end === to)).toBe(true);
        }
      }),
    );
  });
});
