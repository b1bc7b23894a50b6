import { describe, expect, it } from "vitest";
import { countOrderChanges, replaceInOrder } from "./order.ts";

describe("countOrderChanges", () => {
  it("is zero when nothing changed", () => {
    expect(countOrderChanges(["a", "b"], ["a", "b"])).toBe(0);
  });

  it("counts a moved row once, however far it moves", () => {
    expect(countOrderChanges(["a", "b", "c", "d"], ["d", "a", "b", "c"])).toBe(1);
  });

  it("counts added, removed and moved rows", () => {
    expect(countOrderChanges(["a", "b", "c"], ["c", "b", "x", "y"])).toBe(4);
    expect(countOrderChanges([], ["a"])).toBe(1);
    expect(countOrderChanges(["a"], [])).toBe(1);
  });
});

it("gives a removed row's position to its successor, once", () => {
  const successorOf = (removed: string, added: readonly string[]): string | undefined =>
    removed.startsWith("?") ? added[0] : undefined;
  expect(replaceInOrder(["?1", "a"], ["a", "b"], successorOf)).toEqual(["b", "a"]);
  expect(replaceInOrder(["?1", "?2", "a"], ["a", "b"], successorOf)).toEqual(["b", "?2", "a"]);
  expect(replaceInOrder(["?1", "a"], ["?1", "a", "b"], successorOf)).toEqual(["?1", "a"]);
  expect(replaceInOrder(["c", "a"], ["a", "b"], successorOf)).toEqual(["c", "a"]);
});
