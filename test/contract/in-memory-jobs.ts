import type { DaySpend, JobTurn, MemoryJobs } from "../../src/store/memory-jobs.ts";

interface Job extends JobTurn {
  readonly atMs: number;
  notBeforeMs: number;
  leaseUntilMs: number;
  attempts: number;
  isDone: boolean;
}

/** State that survives reopening. */
export interface JobTables {
  readonly jobs: Map<string, Job>;
  readonly spend: Map<string, DaySpend>;
  readonly summarised: Set<string>;
}

export function createJobTables(): JobTables {
  return { jobs: new Map(), spend: new Map(), summarised: new Set() };
}

export function keyOf({ sessionId, promptId }: JobTurn): string {
  return `${sessionId}\n${promptId}`;
}

const WAITS_MS = [30, 120, 600, 3_600, 3_600].map((seconds) => seconds * 1_000);
const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** A minimal queue: a map. */
export function openInMemoryJobs({ jobs, spend, summarised }: JobTables): MemoryJobs {
  const open = (): Job[] => [...jobs.values()].filter((job) => !job.isDone && job.attempts < MAX_ATTEMPTS);
  const dueMs = ({ notBeforeMs, leaseUntilMs }: Job): number => Math.max(notBeforeMs, leaseUntilMs);
  const change = (turn: JobTurn, work: (job: Job) => void): void => {
    const job = jobs.get(keyOf(turn));
    if (job === undefined) return;
    job.leaseUntilMs = 0;
    work(job);
  };
  return {
    async enqueue(turn, atMs, notBeforeMs) {
      if (jobs.has(keyOf(turn))) return false;
      const { sessionId, promptId } = turn;
      jobs.set(keyOf(turn), {
        ...{ sessionId, promptId, atMs, notBeforeMs },
        ...{ leaseUntilMs: 0, attempts: 0, isDone: false },
      });
      return true;
    },
    async lease(nowMs, leaseMs) {
      for (const job of open().sort((a, b) => a.atMs - b.atMs)) {
        if (dueMs(job) > nowMs) continue;
        job.isDone = summarised.has(keyOf(job));
        if (job.isDone) continue;
        job.attempts++;
        job.leaseUntilMs = nowMs + leaseMs;
        return { sessionId: job.sessionId, promptId: job.promptId, attempts: job.attempts };
      }
      return undefined;
    },
    done: async (turn) =>
      change(turn, (job) => {
        job.isDone = true;
      }),
    failed: async (turn, _error, nowMs) =>
      change(turn, (job) => {
        job.notBeforeMs = nowMs + (WAITS_MS[job.attempts - 1] ?? 0);
      }),
    release: async (turn) =>
      change(turn, (job) => {
        job.attempts--;
      }),
    async nextAtMs() {
      const times = open().map(dueMs);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    async counts() {
      const done = [...jobs.values()].filter(({ isDone }) => isDone).length;
      return { waiting: open().length, done, givenUp: jobs.size - done - open().length };
    },
    async spend(day, model, { inputTokens, outputTokens, isFailed }) {
      const known = spend.get(`${day} ${model}`);
      spend.set(`${day} ${model}`, {
        model,
        calls: (known?.calls ?? 0) + 1,
        failedCalls: (known?.failedCalls ?? 0) + Number(isFailed),
        inputTokens: (known?.inputTokens ?? 0) + inputTokens,
        outputTokens: (known?.outputTokens ?? 0) + outputTokens,
      });
    },
    spendOf: async (day) =>
      [...spend]
        .filter(([key]) => key.startsWith(`${day} `))
        .map(([, each]) => each)
        .sort((a, b) => (a.model < b.model ? -1 : 1)),
  };
}
