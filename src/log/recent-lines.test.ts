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

it("holds a line as often as it was appended, until it was read as often", () => {
  const recent = createRecentLines();
  recent.add(["a", "b", "a"]);
  recent.read(["before", "a", "b"]);
  expect(recent.take()).toEqual(["a"]);
});

it("holds no more than so much, the newest", () => {
  const recent = createRecentLines(10);
  recent.add(["aaaa", "bbbb"]);
  recent.add(["cccc"]);
  expect(recent.take()).toEqual(["bbbb", "cccc"]);
});
