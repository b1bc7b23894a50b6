import { describe, expect, it } from "vitest";
import { countOrderChanges, replaceInOrder } from "./order.ts";

describe("the updates that wait for a list that stands still", () => {
  it("are none when nothing changed", () => {
    expect(countOrderChanges(["a", "b"], ["a", "b"])).toBe(0);
  });

  it("count a row that moves once, however many it passes", () => {
    expect(countOrderChanges(["a", "b", "c", "d"], ["d", "a", "b", "c"])).toBe(1);
  });

  it("count what came, what went and what moved", () => {
    expect(countOrderChanges(["a", "b", "c"], ["c", "b", "x", "y"])).toBe(4);
    expect(countOrderChanges([], ["a"])).toBe(1);
    expect(countOrderChanges(["a"], [])).toBe(1);
  });
});

it("gives the place of what is gone to what has come instead of it, once", () => {
  const successorOf = (removed: string, added: readonly string[]): string | undefined =>
    removed.startsWith("?") ? added[0] : undefined;
  expect(replaceInOrder(["?1", "a"], ["a", "b"], successorOf)).toEqual(["b", "a"]);
  expect(replaceInOrder(["?1", "?2", "a"], ["a", "b"], successorOf)).toEqual(["b", "?2", "a"]);
  expect(replaceInOrder(["?1", "a"], ["?1", "a", "b"], successorOf)).toEqual(["?1", "a"]);
  expect(replaceInOrder(["c", "a"], ["a", "b"], successorOf)).toEqual(["c", "a"]);
});
