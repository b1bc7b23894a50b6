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

it("does not hold what a view read while it was being written", () => {
  const recent = createRecentLines();
  recent.add(["a"]);
  recent.begin(["b", "c"]);
  recent.read(["a", "b"]);
  recent.commit();
  expect(recent.take()).toEqual(["c"]);
});

it("holds nothing of a write that failed", () => {
  const recent = createRecentLines();
  recent.begin(["a"]);
  recent.abort();
  recent.begin(["b"]);
  recent.commit();
  expect(recent.take()).toEqual(["b"]);
});

it("holds the right lines however many were read before them", () => {
  const recent = createRecentLines();
  const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n}`);
  for (let at = 0; at < lines.length; at += 10) {
    recent.add(lines.slice(at, at + 10));
    // One step behind: the list is never empty.
    if (at > 0) recent.read(lines.slice(at - 10, at));
  }
  expect(recent.take()).toEqual(lines.slice(-10));
});
