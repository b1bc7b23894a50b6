import { expect, it } from "vitest";
import { createUnreadLines } from "./unread-lines.ts";

it("holds what was appended until a view has read it", () => {
  const recent = createUnreadLines();
  recent.add(["a", "b"]);
  recent.add(["c"]);
  recent.markRead(["a", "unknown"]);
  expect(recent.drain()).toEqual(["b", "c"]);
  expect(recent.drain()).toEqual([]);
});

it("holds a line as often as it was appended, until it was read as often", () => {
  const recent = createUnreadLines();
  recent.add(["a", "b", "a"]);
  recent.markRead(["before", "a", "b"]);
  expect(recent.drain()).toEqual(["a"]);
});

it("holds no more than so much, the newest", () => {
  const recent = createUnreadLines(10);
  recent.add(["aaaa", "bbbb"]);
  recent.add(["cccc"]);
  expect(recent.drain()).toEqual(["bbbb", "cccc"]);
});

it("does not hold what a view read while it was being written", () => {
  const recent = createUnreadLines();
  recent.add(["a"]);
  recent.startWrite(["b", "c"]);
  recent.markRead(["a", "b"]);
  recent.commitWrite();
  expect(recent.drain()).toEqual(["c"]);
});

it("holds nothing of a write that failed", () => {
  const recent = createUnreadLines();
  recent.startWrite(["a"]);
  recent.abortWrite();
  recent.startWrite(["b"]);
  recent.commitWrite();
  expect(recent.drain()).toEqual(["b"]);
});

it("holds the right lines however many were read before them", () => {
  const recent = createUnreadLines();
  const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n}`);
  for (let at = 0; at < lines.length; at += 10) {
    recent.add(lines.slice(at, at + 10));
    // One step behind: the list is never empty.
    if (at > 0) recent.markRead(lines.slice(at - 10, at));
  }
  expect(recent.drain()).toEqual(lines.slice(-10));
});
