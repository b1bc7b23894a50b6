import type { MemoryJobs } from "../../src/store/memory-jobs.ts";
import type { JobsUnderTest } from "./jobs-contract.ts";

export interface BrokenJobs {
  readonly breaks: string;
  readonly how: string;
  readonly wreck: (under: JobsUnderTest) => Partial<JobsUnderTest>;
}

const jobs = (change: (jobs: MemoryJobs) => Partial<MemoryJobs>) => (under: JobsUnderTest) => ({
  jobs: { ...under.jobs, ...change(under.jobs) },
});

/** One implementation per guarantee that breaks only that guarantee. */
export const BROKEN_JOBS: readonly BrokenJobs[] = [
  {
    breaks: "queues a turn once, also after it is done",
    how: "says of each that it is new",
    wreck: jobs(({ enqueue }) => ({ enqueue: async (...turn) => (await enqueue(...turn)) || true })),
  },
  {
    breaks: "leases the oldest first, each to one caller, also when all ask at once",
    how: "looks first, and takes it a moment later",
    wreck: jobs(({ lease }) => {
      let looking: ReturnType<typeof lease> | null = null;
      return {
        lease: async (nowMs, leaseMs) => {
          looking ??= lease(nowMs, leaseMs);
          const found = await looking;
          await new Promise((resolve) => setTimeout(resolve, 1));
          looking = null;
          return found;
        },
      };
    }),
  },
  {
    breaks: "leases no job before its time",
    how: "leases at once",
    wreck: jobs(({ lease }) => ({ lease: (nowMs, leaseMs) => lease(nowMs + 60_000, leaseMs) })),
  },
  {
    breaks: "puts a job back whose lease ran out, also for another process",
    how: "leases for ever",
    wreck: jobs(({ lease }) => ({ lease: (nowMs) => lease(nowMs, 1e12) })),
  },
  {
    breaks: "waits longer after each failure, and gives up after the sixth",
    how: "tries again at once",
    wreck: jobs(({ release }) => ({ failed: (turn) => release(turn) })),
  },
  {
    breaks: "does not count an attempt that was not the job's fault",
    how: "counts it",
    wreck: jobs(({ failed }) => ({ release: (turn) => failed(turn, "released", -1e12) })),
  },
  {
    breaks: "leases no turn that a model has told of",
    how: "does not hear of it",
    wreck: () => ({ markSummarised: () => undefined }),
  },
  {
    breaks: "adds up what each day and model has cost",
    how: "takes all days for one",
    wreck: jobs(({ spend }) => ({ spend: (_day, model, call) => spend("2026-11-15", model, call) })),
  },
];
