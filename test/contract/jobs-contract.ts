import { expect } from "vitest";
import type { JobTurn, MemoryJobs } from "../../src/store/memory-jobs.ts";

/** One queue under test, in its own location. */
export interface JobsUnderTest {
  readonly jobs: MemoryJobs;
  /** The same queue as another process opens it. */
  reopen(): Promise<MemoryJobs>;
  /** Marks the turn as summarised by a model. */
  markSummarised(turn: JobTurn): void;
  close(): Promise<void>;
}

export interface JobsGuarantee {
  readonly name: string;
  readonly check: (under: JobsUnderTest) => Promise<void>;
}

const LEASE_MS = 150_000;
const T0 = Date.parse("2026-11-15T10:00:00Z");
const turn = (promptId: string): JobTurn => ({ sessionId: "s", promptId });

/** The guarantees of every job queue (src/store/memory-jobs.ts). */
export const JOBS_GUARANTEES: readonly JobsGuarantee[] = [
  {
    name: "queues a turn once, also after it is done",
    async check({ jobs }) {
      expect(await jobs.enqueue(turn("p"), T0, T0)).toBe(true);
      expect(await jobs.enqueue(turn("p"), T0 + 1, T0)).toBe(false);
      await jobs.done(turn("p"));
      expect(await jobs.enqueue(turn("p"), T0 + 2, T0)).toBe(false);
      expect(await jobs.lease(T0 + 3, LEASE_MS)).toBeUndefined();
    },
  },
  {
    name: "leases the oldest first, each to one caller, also when all ask at once",
    async check({ jobs }) {
      await jobs.enqueue(turn("second"), T0 + 1, T0);
      await jobs.enqueue(turn("first"), T0, T0);
      const leased = await Promise.all([1, 2, 3].map(() => jobs.lease(T0 + 5, LEASE_MS)));
      expect(leased).toEqual([
        { ...turn("first"), attempts: 1 },
        { ...turn("second"), attempts: 1 },
        undefined,
      ]);
    },
  },
  {
    name: "leases no job before its time",
    async check({ jobs }) {
      await jobs.enqueue(turn("p"), T0, T0 + 5_000);
      expect(await jobs.lease(T0 + 4_999, LEASE_MS)).toBeUndefined();
      expect(await jobs.nextAtMs()).toBe(T0 + 5_000);
      expect(await jobs.lease(T0 + 5_000, LEASE_MS)).toMatchObject(turn("p"));
    },
  },
  {
    name: "puts a job back whose lease ran out, also for another process",
    async check({ jobs, reopen }) {
      await jobs.enqueue(turn("p"), T0, T0);
      await jobs.lease(T0, LEASE_MS);
      const reopened = await reopen();
      expect(await reopened.lease(T0 + LEASE_MS - 1, LEASE_MS)).toBeUndefined();
      expect(await reopened.lease(T0 + LEASE_MS, LEASE_MS)).toEqual({ ...turn("p"), attempts: 2 });
    },
  },
  {
    name: "waits longer after each failure, and gives up after the sixth",
    async check({ jobs }) {
      await jobs.enqueue(turn("p"), T0, T0);
      const waits: number[] = [];
      for (let nowMs = T0, attempt = 1; attempt <= 6; attempt++) {
        expect(await jobs.lease(nowMs, LEASE_MS)).toMatchObject({ attempts: attempt });
        await jobs.failed(turn("p"), "no", nowMs);
        const nextMs = await jobs.nextAtMs();
        if (nextMs === undefined) break;
        waits.push((nextMs - nowMs) / 1_000);
        nowMs = nextMs;
      }
      expect(waits).toEqual([30, 120, 600, 3_600, 3_600]);
      expect(await jobs.counts(T0 + 1e9)).toEqual({ waiting: 0, done: 0, givenUp: 1 });
    },
  },
  {
    name: "does not count an attempt that was not the job's fault",
    async check({ jobs }) {
      await jobs.enqueue(turn("p"), T0, T0);
      for (let n = 0; n < 10; n++) {
        expect(await jobs.lease(T0, LEASE_MS)).toMatchObject({ attempts: 1 });
        await jobs.release(turn("p"));
      }
    },
  },
  {
    name: "leases no turn that a model has told of",
    async check({ jobs, markSummarised }) {
      await jobs.enqueue(turn("told"), T0, T0);
      await jobs.enqueue(turn("p"), T0 + 1, T0);
      markSummarised(turn("told"));
      expect(await jobs.lease(T0 + 2, LEASE_MS)).toMatchObject(turn("p"));
      expect(await jobs.counts(T0 + 2)).toEqual({ waiting: 1, done: 1, givenUp: 0 });
    },
  },
  {
    name: "adds up what each day and model has cost",
    async check({ jobs, reopen }) {
      const call = { inputTokens: 10, outputTokens: 2, isFailed: false };
      await jobs.spend("2026-11-15", "small", call);
      await jobs.spend("2026-11-15", "small", { ...call, isFailed: true });
      await jobs.spend("2026-11-15", "large", call);
      await jobs.spend("2026-11-16", "small", call);
      expect(await (await reopen()).spendOf("2026-11-15")).toEqual([
        { model: "large", calls: 1, failedCalls: 0, inputTokens: 10, outputTokens: 2 },
        { model: "small", calls: 2, failedCalls: 1, inputTokens: 20, outputTokens: 4 },
      ]);
    },
  },
];
