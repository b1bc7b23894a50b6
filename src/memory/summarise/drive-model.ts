import type { JobTurn } from "../../store/memory-jobs.ts";
import { createModelBackoff } from "./model-backoff.ts";
import { disabledStatus, type ModelStatus } from "./model-status.ts";
import { spendDay } from "./spend-day.ts";
import {
  failJob,
  type SummariseJobContext,
  type SummariseJobOptions,
  summariseJob,
} from "./summarise-job.ts";
import { createWorkLoop, MAX_WAIT_MS, type WorkLoopOptions } from "./work-loop.ts";

export type { ModelStatus } from "./model-status.ts";

/** Asks a model about turns, one call at a time. Without a model it does and reads nothing. */
export interface ModelDriver {
  /** Call when a turn has ended. Resolves when it is queued. */
  enqueue(turn: JobTurn): Promise<void>;
  status(): Promise<ModelStatus>;
  /** Aborts a running call; its job is requeued. */
  close(): Promise<void>;
}

export interface ModelDriverOptions
  extends SummariseJobOptions,
    Pick<WorkLoopOptions, "schedule" | "onError"> {
  readonly model: string | null;
  readonly dailyTokens: number;
  /** Delay after a turn's end: the text around its calls arrives a little later. */
  readonly settleMs?: number;
}

/** Longer than any call may take. */
const LEASE_MS = 150_000;
const SETTLE_MS = 5_000;

export function driveModel(options: ModelDriverOptions): ModelDriver {
  const { model, jobs, now, onError } = options;
  if (model === null) return idleDriver(options.dailyTokens);
  const closing = new AbortController();
  const backoff = createModelBackoff(now);
  const context: SummariseJobContext = { ...options, model, backoff, closing: closing.signal };

  /** Processes jobs while allowed. Returns when to check again. */
  const runJobs = async (): Promise<number | undefined> => {
    while (!closing.signal.aborted) {
      const untilMs = backoff.blockedUntilMs();
      if (untilMs !== null) return untilMs;
      if ((await todayTokens(options)) >= options.dailyTokens) {
        backoff.halt("budget", null);
        return now() + MAX_WAIT_MS;
      }
      const job = await jobs((queue) => queue.lease(now(), LEASE_MS));
      if (job === undefined) {
        backoff.clear();
        return jobs((queue) => queue.nextAtMs());
      }
      const nextAtMs = await summariseJob(context, job).catch((error: unknown) => {
        onError(error);
        return failJob(context, job, error instanceof Error ? error.message : String(error));
      });
      if (nextAtMs !== undefined) return nextAtMs;
    }
    return undefined;
  };

  const workLoop = createWorkLoop({ ...options, work: runJobs, closing: closing.signal });
  workLoop.wakeAt(now());
  return {
    async enqueue(turn) {
      const readyAtMs = now() + (options.settleMs ?? SETTLE_MS);
      const isNew = await jobs((queue) => queue.enqueue(turn, now(), readyAtMs));
      if (isNew && !backoff.isStopped()) workLoop.wakeAt(readyAtMs);
    },
    async status() {
      const { waiting, givenUp } = await jobs((queue) => queue.counts(now()));
      const today = await todayTokens(options);
      return {
        model,
        waiting,
        givenUp,
        todayTokens: today,
        budget: options.dailyTokens,
        ...backoff.status(),
      };
    },
    async close() {
      closing.abort();
      await workLoop.close();
    },
  };
}

function idleDriver(budget: number): ModelDriver {
  return { async enqueue() {}, status: async () => disabledStatus(budget), async close() {} };
}

async function todayTokens({ jobs, now }: SummariseJobOptions): Promise<number> {
  return (await jobs((queue) => queue.spendOf(spendDay(now())))).reduce(
    (sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens,
    0,
  );
}
