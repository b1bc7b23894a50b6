import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NumberedCall, numberCalls } from "./number-calls.ts";

const call = (
  toolUseId: string,
  startedAt: string,
  batchKey?: string,
  batchIndex?: number,
): NumberedCall => ({
  toolUseId,
  startedAt,
  batchKey: batchKey ?? null,
  batchIndex: batchIndex ?? null,
});

describe("numberCalls", () => {
  it("orders messages by their first call, and parallel calls by their place in the message", () => {
    const numbers = numberCalls([
      call("c", "02", "b", 1),
      call("d", "04"),
      call("b", "03", "b", 0),
      call("a", "01"),
    ]);
    expect([...numbers]).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 3],
      ["d", 4],
    ]);
  });

  it("numbers each call once from 1, whatever the order of the input", () => {
    const calls = fc.uniqueArray(
      fc.record({
        toolUseId: fc.constantFrom("a", "b", "c", "d", "e", "f"),
        startedAt: fc.constantFrom("1", "2", "3"),
        batchKey: fc.constantFrom(null, "x", "y"),
        batchIndex: fc.constantFrom(null, 0, 1, 2),
      }),
      { selector: ({ toolUseId }) => toolUseId },
    );
    const listAndShuffled = calls.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(listAndShuffled, ([list, shuffled]) => {
        const numbers = numberCalls(list);
        expect([...numbers.values()]).toEqual(list.map((_, index) => index + 1));
        expect(new Map(numberCalls(shuffled))).toEqual(numbers);
      }),
    );
  });
});
