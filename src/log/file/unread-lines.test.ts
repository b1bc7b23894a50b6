import { expect, it } from "vitest";
import { createUnreadLines } from "./unread-lines.ts";

it("holds appended lines until a view has read them", () => {
  const unread = createUnreadLines();
  unread.add(["a", "b"]);
  unread.add(["c"]);
  unread.markRead(["a", "unknown"]);
  expect(unread.drain()).toEqual(["b", "c"]);
  expect(unread.drain()).toEqual([]);
});

it("holds a repeated line until it was read as many times", () => {
  const unread = createUnreadLines();
  unread.add(["a", "b", "a"]);
  unread.markRead(["before", "a", "b"]);
  expect(unread.drain()).toEqual(["a"]);
});

it("drops the oldest lines over the limit", () => {
  const unread = createUnreadLines(10);
  unread.add(["aaaa", "bbbb"]);
  unread.add(["cccc"]);
  expect(unread.drain()).toEqual(["bbbb", "cccc"]);
});

it("does not hold lines that a view read while they were being written", () => {
  const unread = createUnreadLines();
  unread.add(["a"]);
  unread.startWrite(["b", "c"]);
  unread.markRead(["a", "b"]);
  unread.commitWrite();
  expect(unread.drain()).toEqual(["c"]);
});

it("holds no lines of a failed write", () => {
  const unread = createUnreadLines();
  unread.startWrite(["a"]);
  unread.abortWrite();
  unread.startWrite(["b"]);
  unread.commitWrite();
  expect(unread.drain()).toEqual(["b"]);
});

it("holds the newest lines after many reads", () => {
  const unread = createUnreadLines();
  const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n}`);
  for (let at = 0; at < lines.length; at += 10) {
    unread.add(lines.slice(at, at + 10));
    // Reading stays one batch behind, so the list is never empty.
    if (at > 0) unread.markRead(lines.slice(at - 10, at));
  }
  expect(unread.drain()).toEqual(lines.slice(-10));
});
