import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBatchCache, DEFAULT_CACHE_KB } from "./batch-cache.ts";

let raw: DatabaseSync;
const cacheKb = (): number => -Number(raw.prepare("PRAGMA cache_size").get()!["cache_size"]);

beforeEach(() => {
  vi.useFakeTimers();
  raw = new DatabaseSync(":memory:");
  raw.exec(`PRAGMA cache_size = -${DEFAULT_CACHE_KB}`);
});
afterEach(() => {
  vi.useRealTimers();
  if (raw.isOpen) raw.close();
});

it("enlarges the cache while large batches come, and shrinks it after a quiet period", () => {
  const cache = createBatchCache(raw);
  cache.prepareFor(10);
  expect(cacheKb()).toBe(DEFAULT_CACHE_KB);
  cache.prepareFor(4_000);
  expect(cacheKb()).toBeGreaterThan(DEFAULT_CACHE_KB);
  vi.advanceTimersByTime(4_000);
  cache.prepareFor(4_000);
  vi.advanceTimersByTime(4_000);
  expect(cacheKb()).toBeGreaterThan(DEFAULT_CACHE_KB);
  vi.advanceTimersByTime(1_000);
  expect(cacheKb()).toBe(DEFAULT_CACHE_KB);
  cache.prepareFor(4_000);
  expect(cacheKb()).toBeGreaterThan(DEFAULT_CACHE_KB);
});

it("does nothing if the database was closed meanwhile", () => {
  const cache = createBatchCache(raw);
  cache.prepareFor(4_000);
  raw.close();
  expect(() => vi.advanceTimersByTime(10_000)).not.toThrow();
});
