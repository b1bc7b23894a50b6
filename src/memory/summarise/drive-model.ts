import type { HooklineEvent } from "../../event/event.ts";
import type { JobTurn, MemoryJob, MemoryJobs } from "../../store/memory-jobs.ts";
import { toAnswerEvents } from "./answer-events.ts";
import { type AskedTurn, toAsk } from "./ask-prompt.ts";
import type { AskModel, ModelAnswer } from "./model-answer.ts";
import { type ModelStatus, offStatus, type StoppedBy } from "./model-status.ts";
import { parseAnswer } from "./parse-answer.ts";

export type { ModelStatus } from "./model-status.ts";

/** Asks a model about turns, one call at a time. Without a model it does nothing and reads nothing. */
export interface ModelDriver {
  /** A turn is over. Resolves when it is queued. */
  enqueue(turn: JobTurn): Promise<void>;
  status(): Promise<ModelStatus>;
  /** Stops a call that is under way; its job goes back. */
  close(): Promise<void>;
}

export interface ModelDriverOptions {
  readonly model: string | null;
  readonly dailyTokens: number;
  /** The queue, wherever the database is by now. */
  readonly jobs: <T>(work: (jobs: MemoryJobs) => Promise<T>) => Promise<T>;
  readonly ask: AskModel;
  /** Null when there is nothing to ask: private, forgotten, gone. */
  readonly turnOf: (turn: JobTurn) => Promise<AskedTurn | null>;
  /** Returns when the events are in the log. */
  readonly write: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly now: () => number;
  readonly schedule: (work: () => void, delayMs: number) => { cancel(): void };
  readonly onTrouble: (error: unknown) => void;
  /** Between a turn's end and the question: what was said around its calls is told a little later. */
  readonly settleMs?: number;
}

/** Longer than a call may last. */
const LEASE_MS = 150_000;
const MINUTE_MS = 60_000;
const AUTH_MS = 30 * MINUTE_MS;
const OVERLOAD_MS = 5 * MINUTE_MS;
/** A clock may be set, a day may end: nobody waits longer without looking again. */
const LOOK_MS = 10 * MINUTE_MS;
const TROUBLE_MS = MINUTE_MS;
const SETTLE_MS = 5_000;

interface Stop {
  readonly by: StoppedBy;
  readonly sinceMs: number;
  /** Null: as long as the day's budget is used up. */
  readonly untilMs: number | null;
}

export function driveModel(options: ModelDriverOptions): ModelDriver {
  const { model, jobs, now } = options;
  if (model === null) return idleDriver(options.dailyTokens);
  const closing = new AbortController();
  let stop: Stop | null = null;
  let lastError: string | null = null;
  let running: Promise<void> | null = null;
  /** A wake-up that came while a round ran: that round may have looked before the job was queued. */
  let isDueAgain = false;
  let timer: { readonly dueMs: number; cancel(): void } | null = null;

  const wakeAt = (atMs: number): void => {
    const nowMs = now();
    const dueMs = Math.min(Math.max(atMs, nowMs), nowMs + LOOK_MS);
    if (closing.signal.aborted || (timer !== null && timer.dueMs <= dueMs)) return;
    timer?.cancel();
    const { cancel } = options.schedule(run, dueMs - nowMs);
    timer = { dueMs, cancel };
  };

  const run = (): void => {
    timer = null;
    isDueAgain = running !== null;
    if (running !== null || closing.signal.aborted) return;
    running = work()
      .catch((error: unknown) => {
        options.onTrouble(error);
        return now() + TROUBLE_MS;
      })
      .then((nextAtMs) => {
        running = null;
        if (isDueAgain) wakeAt(now());
        else if (nextAtMs !== undefined) wakeAt(nextAtMs);
      });
  };

  /** Asks while it may. Gives when to look again. */
  const work = async (): Promise<number | undefined> => {
    while (!closing.signal.aborted) {
      if (stop?.untilMs != null && stop.untilMs > now()) return stop.untilMs;
      if ((await todayTokens()) >= options.dailyTokens) return halt("budget", null);
      const job = await jobs((queue) => queue.lease(now(), LEASE_MS));
      if (job === undefined) {
        stop = null;
        return jobs((queue) => queue.nextAtMs());
      }
      const nextAtMs = await one(job).catch((error: unknown) => {
        options.onTrouble(error);
        return failed(job, error instanceof Error ? error.message : String(error));
      });
      if (nextAtMs !== undefined) return nextAtMs;
    }
    return undefined;
  };

  const one = async (job: MemoryJob): Promise<number | undefined> => {
    const turn = await options.turnOf(job);
    if (turn === null) return end(job);
    const request = toAsk(turn);
    const answer = await options.ask({ model, system: request.system, text: request.text }, closing.signal);
    if (answer.type !== "answered") return refused(job, answer);
    stop = null;
    const parsed = parseAnswer(answer.text, request.observationIds);
    const { inputTokens, outputTokens } = answer;
    const isFailed = parsed.type === "unusable";
    // First of all: what is paid for is counted, whatever becomes of it.
    await jobs((queue) => queue.spend(dayOf(now()), answer.model, { inputTokens, outputTokens, isFailed }));
    if (isFailed) return failed(job, parsed.why);
    await options.write(toAnswerEvents(turn, answer, parsed, new Date(now()).toISOString()));
    lastError = null;
    return end(job);
  };

  const end = async (job: MemoryJob): Promise<undefined> => {
    await jobs((queue) => queue.done(job));
  };

  const refused = async (
    job: MemoryJob,
    answer: Exclude<ModelAnswer, { type: "answered" }>,
  ): Promise<number | undefined> => {
    if (answer.type === "failed" && !closing.signal.aborted) return failed(job, answer.message);
    await jobs((queue) => queue.release(job));
    if (answer.type === "failed") return undefined;
    lastError = answer.message;
    switch (answer.type) {
      case "rate_limited":
        return halt("rate_limit", Math.max(answer.retryAtMs, now() + 1_000));
      case "auth_failed":
        return halt("auth", now() + AUTH_MS);
      case "overloaded":
        return halt("overload", now() + OVERLOAD_MS);
      case "unavailable":
        return halt("unavailable", now() + AUTH_MS);
      default:
        return answer satisfies never;
    }
  };

  const failed = async (job: MemoryJob, message: string): Promise<undefined> => {
    lastError = message;
    await jobs((queue) => queue.failed(job, message, now()));
  };

  const halt = (by: StoppedBy, untilMs: number | null): number => {
    stop = { by, untilMs, sinceMs: stop?.by === by ? stop.sinceMs : now() };
    return untilMs ?? now() + LOOK_MS;
  };

  const todayTokens = async (): Promise<number> =>
    (await jobs((queue) => queue.spendOf(dayOf(now())))).reduce(
      (sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens,
      0,
    );

  wakeAt(now());
  return {
    async enqueue(turn) {
      const readyAtMs = now() + (options.settleMs ?? SETTLE_MS);
      const isNew = await jobs((queue) => queue.enqueue(turn, now(), readyAtMs));
      if (isNew && stop === null) wakeAt(readyAtMs);
    },
    async status() {
      const { waiting, givenUp } = await jobs((queue) => queue.counts(now()));
      return {
        model,
        waiting,
        givenUp,
        todayTokens: await todayTokens(),
        budget: options.dailyTokens,
        stoppedBy: stop?.by ?? null,
        sinceIso: stop === null ? null : new Date(stop.sinceMs).toISOString(),
        untilIso: stop?.untilMs == null ? null : new Date(stop.untilMs).toISOString(),
        lastError,
      };
    },
    async close() {
      closing.abort();
      timer?.cancel();
      await running;
    },
  };
}

function idleDriver(budget: number): ModelDriver {
  return { async enqueue() {}, status: async () => offStatus(budget), async close() {} };
}

/** The user's day. */
function dayOf(ms: number): string {
  const at = new Date(ms);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
