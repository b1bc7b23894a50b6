import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rowId } from "../../event/ids.ts";
import type { MemoryJobs } from "../memory-jobs.ts";
import { type Database, openDatabase } from "./database.ts";
import { sqliteMemoryJobs } from "./sqlite-memory-jobs.ts";

const LEASE_MS = 150_000;
const T0 = Date.parse("2026-11-15T10:00:00Z");
const turn = (promptId: string) => ({ sessionId: "s1", promptId });

let db: Database;
let jobs: MemoryJobs;

beforeEach(() => {
  db = openDatabase(":memory:");
  jobs = sqliteMemoryJobs(db);
});
afterEach(() => db.close());

describe("sqliteMemoryJobs", () => {
  it("leases each turn once, oldest first, however often it was enqueued", async () => {
    expect(await jobs.enqueue(turn("p2"), T0 + 1, T0)).toBe(true);
    expect(await jobs.enqueue(turn("p1"), T0, T0)).toBe(true);
    expect(await jobs.enqueue(turn("p1"), T0 + 9, T0)).toBe(false);
    expect(await jobs.lease(T0, LEASE_MS)).toEqual({ ...turn("p1"), attempts: 1 });
    expect(await jobs.lease(T0, LEASE_MS)).toEqual({ ...turn("p2"), attempts: 1 });
    expect(await jobs.lease(T0, LEASE_MS)).toBeUndefined();
    await jobs.done(turn("p1"));
    expect(await jobs.enqueue(turn("p1"), T0 + 10, T0)).toBe(false);
    expect(await jobs.counts(T0)).toEqual({ waiting: 1, done: 1, givenUp: 0 });
  });

  it("leases no job before it is due", async () => {
    await jobs.enqueue(turn("p1"), T0, T0 + 5_000);
    expect(await jobs.lease(T0 + 4_999, LEASE_MS)).toBeUndefined();
    expect(await jobs.nextAtMs()).toBe(T0 + 5_000);
    expect(await jobs.lease(T0 + 5_000, LEASE_MS)).toBeDefined();
  });

  it("leases a job again when its lease has expired", async () => {
    await jobs.enqueue(turn("p1"), T0, T0);
    await jobs.lease(T0, LEASE_MS);
    expect(await jobs.nextAtMs()).toBe(T0 + LEASE_MS);
    expect(await jobs.lease(T0 + LEASE_MS - 1, LEASE_MS)).toBeUndefined();
    expect(await jobs.lease(T0 + LEASE_MS, LEASE_MS)).toEqual({ ...turn("p1"), attempts: 2 });
  });

  it("backs off after each failure, and gives up after the sixth with the last error", async () => {
    await jobs.enqueue(turn("p1"), T0, T0);
    let nowMs = T0;
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt++) {
      expect((await jobs.lease(nowMs, LEASE_MS))?.attempts).toBe(attempt);
      await jobs.failed(turn("p1"), `error ${attempt}`, nowMs);
      const nextMs = await jobs.nextAtMs();
      if (nextMs === undefined) break;
      waits.push((nextMs - nowMs) / 1_000);
      expect(await jobs.lease(nextMs - 1, LEASE_MS)).toBeUndefined();
      nowMs = nextMs;
    }
    expect(waits).toEqual([30, 120, 600, 3_600, 3_600]);
    expect(await jobs.lease(nowMs + 1e9, LEASE_MS)).toBeUndefined();
    expect(await jobs.counts(nowMs)).toEqual({ waiting: 0, done: 0, givenUp: 1 });
    expect(db.sql("SELECT last_error FROM memory_jobs").get()).toEqual({ last_error: "error 6" });
  });

  it("gives up a job whose lease expired six times", async () => {
    await jobs.enqueue(turn("p1"), T0, T0);
    for (let attempt = 0; attempt < 6; attempt++)
      expect(await jobs.lease(T0 + attempt * LEASE_MS, LEASE_MS)).toBeDefined();
    expect((await jobs.counts(T0 + 5 * LEASE_MS)).waiting).toBe(1);
    expect(await jobs.lease(T0 + 6 * LEASE_MS, LEASE_MS)).toBeUndefined();
    expect((await jobs.counts(T0 + 6 * LEASE_MS)).givenUp).toBe(1);
  });

  it("does not count an attempt that was not the job's fault", async () => {
    await jobs.enqueue(turn("p1"), T0, T0);
    for (let index = 0; index < 20; index++) {
      expect((await jobs.lease(T0, LEASE_MS))?.attempts).toBe(1);
      await jobs.release(turn("p1"));
    }
  });

  it("ignores a due time that a clock set back moved far ahead", async () => {
    await jobs.enqueue(turn("p1"), T0, T0);
    await jobs.lease(T0, LEASE_MS);
    expect(await jobs.lease(T0 - 86_400_000, LEASE_MS)).toBeDefined();
  });

  it("skips a turn that a model has already summarised", async () => {
    await jobs.enqueue(turn("p1"), T0, T0);
    db.sql(
      "INSERT INTO memory_made (item_id, made_by, session_id, fact_id, item_json) VALUES (?, ?, ?, ?, ?)",
    ).run(rowId("summary", "s1\np1"), "model", "s1", "f1", "{}");
    expect(await jobs.lease(T0, LEASE_MS)).toBeUndefined();
    expect(await jobs.counts(T0)).toEqual({ waiting: 0, done: 1, givenUp: 0 });
  });

  it("adds up the cost by day and model", async () => {
    await jobs.spend("2026-11-15", "haiku", { inputTokens: 1_000, outputTokens: 200, isFailed: false });
    await jobs.spend("2026-11-15", "haiku", { inputTokens: 10, outputTokens: 2, isFailed: true });
    await jobs.spend("2026-11-15", "opus", { inputTokens: 1, outputTokens: 1, isFailed: false });
    await jobs.spend("2026-11-16", "haiku", { inputTokens: 5, outputTokens: 5, isFailed: false });
    expect(await jobs.spendOf("2026-11-15")).toEqual([
      { model: "haiku", calls: 2, failedCalls: 1, inputTokens: 1_010, outputTokens: 202 },
      { model: "opus", calls: 1, failedCalls: 0, inputTokens: 1, outputTokens: 1 },
    ]);
  });
});
