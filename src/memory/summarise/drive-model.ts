import type { JobTurn } from "../../store/memory-jobs.ts";
import { type AskAboutContext, type AskAboutOptions, askAboutJob, failJob } from "./ask-about-job.ts";
import { createRounds, LOOK_MS, type RoundsOptions } from "./model-rounds.ts";
import { type ModelStatus, offStatus } from "./model-status.ts";
import { createModelStop } from "./model-stop.ts";
import { dayOf } from "./spend-day.ts";

export type { ModelStatus } from "./model-status.ts";

/** Asks a model about turns, one call at a time. Without a model it does nothing and reads nothing. */
export interface ModelDriver {
  /** A turn is over. Resolves when it is queued. */
  enqueue(turn: JobTurn): Promise<void>;
  status(): Promise<ModelStatus>;
  /** Stops a call that is under way; its job goes back. */
  close(): Promise<void>;
}

export interface ModelDriverOptions extends AskAboutOptions, Pick<RoundsOptions, "schedule" | "onTrouble"> {
  readonly model: string | null;
  readonly dailyTokens: number;
  /** Between a turn's end and the question: what was said around its calls is told a little later. */
  readonly settleMs?: number;
}

/** Longer than a call may last. */
const LEASE_MS = 150_000;
const SETTLE_MS = 5_000;

export function driveModel(options: ModelDriverOptions): ModelDriver {
  const { model, jobs, now, onTrouble } = options;
  if (model === null) return idleDriver(options.dailyTokens);
  const closing = new AbortController();
  const stop = createModelStop(now);
  const context: AskAboutContext = { ...options, model, stop, closing: closing.signal };

  /** Asks while it may. Gives when to look again. */
  const work = async (): Promise<number | undefined> => {
    while (!closing.signal.aborted) {
      const untilMs = stop.waitsUntilMs();
      if (untilMs !== null) return untilMs;
      if ((await todayTokens(options)) >= options.dailyTokens) {
        stop.halt("budget", null);
        return now() + LOOK_MS;
      }
      const job = await jobs((queue) => queue.lease(now(), LEASE_MS));
      if (job === undefined) {
        stop.clear();
        return jobs((queue) => queue.nextAtMs());
      }
      const nextAtMs = await askAboutJob(context, job).catch((error: unknown) => {
        onTrouble(error);
        return failJob(context, job, error instanceof Error ? error.message : String(error));
      });
      if (nextAtMs !== undefined) return nextAtMs;
    }
    return undefined;
  };

  const rounds = createRounds({ ...options, work, closing: closing.signal });
  rounds.wakeAt(now());
  return {
    async enqueue(turn) {
      const readyAtMs = now() + (options.settleMs ?? SETTLE_MS);
      const isNew = await jobs((queue) => queue.enqueue(turn, now(), readyAtMs));
      if (isNew && !stop.isStopped()) rounds.wakeAt(readyAtMs);
    },
    async status() {
      const { waiting, givenUp } = await jobs((queue) => queue.counts(now()));
      const today = await todayTokens(options);
      return { model, waiting, givenUp, todayTokens: today, budget: options.dailyTokens, ...stop.status() };
    },
    async close() {
      closing.abort();
      await rounds.close();
    },
  };
}

function idleDriver(budget: number): ModelDriver {
  return { async enqueue() {}, status: async () => offStatus(budget), async close() {} };
}

async function todayTokens({ jobs, now }: AskAboutOptions): Promise<number> {
  return (await jobs((queue) => queue.spendOf(dayOf(now())))).reduce(
    (sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens,
    0,
  );
}
