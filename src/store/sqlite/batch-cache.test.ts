import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBatchCache, USUAL_KB } from "./batch-cache.ts";

let raw: DatabaseSync;
const cacheKb = (): number => -Number(raw.prepare("PRAGMA cache_size").get()!["cache_size"]);

beforeEach(() => {
  vi.useFakeTimers();
  raw = new DatabaseSync(":memory:");
  raw.exec(`PRAGMA cache_size = -${USUAL_KB}`);
});
afterEach(() => {
  vi.useRealTimers();
  if (raw.isOpen) raw.close();
});

it("keeps more of the database in memory while large batches come, and gives it back when none has for a while", () => {
  const cache = createBatchCache(raw);
  cache.expect(10);
  expect(cacheKb()).toBe(USUAL_KB);
  cache.expect(4_000);
  expect(cacheKb()).toBeGreaterThan(USUAL_KB);
  vi.advanceTimersByTime(4_000);
  cache.expect(4_000);
  vi.advanceTimersByTime(4_000);
  expect(cacheKb()).toBeGreaterThan(USUAL_KB);
  vi.advanceTimersByTime(1_000);
  expect(cacheKb()).toBe(USUAL_KB);
  cache.expect(4_000);
  expect(cacheKb()).toBeGreaterThan(USUAL_KB);
});

it("leaves a database alone that was closed meanwhile", () => {
  const cache = createBatchCache(raw);
  cache.expect(4_000);
  raw.close();
  expect(() => vi.advanceTimersByTime(10_000)).not.toThrow();
});
