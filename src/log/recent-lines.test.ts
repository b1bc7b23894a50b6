import { expect, it } from "vitest";
import { createRecentLines } from "./recent-lines.ts";

it("holds what was appended until a view has read it", () => {
  const recent = createRecentLines();
  recent.add(["a", "b"]);
  recent.add(["c"]);
  recent.read(["a", "unknown"]);
  expect(recent.take()).toEqual(["b", "c"]);
  expect(recent.take()).toEqual([]);
});

it("holds a line that was appended twice once, at its later place", () => {
  const recent = createRecentLines();
  recent.add(["a", "b", "a"]);
  expect(recent.take()).toEqual(["b", "a"]);
});

it("holds no more than so much, the newest", () => {
  const recent = createRecentLines(10);
  recent.add(["aaaa", "bbbb"]);
  recent.add(["cccc"]);
  expect(recent.take()).toEqual(["bbbb", "cccc"]);
});
