import { describe, expect, it } from "vitest";
import { compareOrder } from "./order.ts";

describe("the updates that wait for a list that stands still", () => {
  it("are none when nothing changed", () => {
    expect(compareOrder(["a", "b"], ["a", "b"])).toBe(0);
  });

  it("count a row that moves once, however many it passes", () => {
    expect(compareOrder(["a", "b", "c", "d"], ["d", "a", "b", "c"])).toBe(1);
  });

  it("count what came, what went and what moved", () => {
    expect(compareOrder(["a", "b", "c"], ["c", "b", "x", "y"])).toBe(4);
    expect(compareOrder([], ["a"])).toBe(1);
    expect(compareOrder(["a"], [])).toBe(1);
  });
});
