import type { HooklineEvent } from "../../event/event.ts";
import type { JobTurn, MemoryJob, MemoryJobs } from "../../store/memory-jobs.ts";
import { toAnswerEvents } from "./answer-events.ts";
import type { ModelAnswer, ModelCall } from "./model-answer.ts";
import type { ModelBackoff } from "./model-backoff.ts";
import type { StoppedBy } from "./model-status.ts";
import { parseAnswer } from "./parse-answer.ts";
import { spendDay } from "./spend-day.ts";
import { type TurnToSummarise, toTurnRequest } from "./turn-request.ts";

export interface SummariseJobOptions {
  /** Runs `work` with the job queue of the current database. */
  readonly jobs: <T>(work: (jobs: MemoryJobs) => Promise<T>) => Promise<T>;
  readonly callModel: ModelCall;
  /** Null if the turn must not be sent to the model: private, forgotten or deleted. */
  readonly turnOf: (turn: JobTurn) => Promise<TurnToSummarise | null>;
  /** Resolves when the events are in the log. */
  readonly write: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly now: () => number;
}

export interface SummariseJobContext extends SummariseJobOptions {
  readonly model: string;
  readonly backoff: ModelBackoff;
  /** Aborts a running call; its job is requeued. */
  readonly closing: AbortSignal;
}

const MINUTE_MS = 60_000;
const AUTH_RETRY_MS = 30 * MINUTE_MS;
const OVERLOAD_RETRY_MS = 5 * MINUTE_MS;

/** Processes one job. If the model cannot be called now, requeues it and returns when to retry. */
export async function summariseJob(
  context: SummariseJobContext,
  job: MemoryJob,
): Promise<number | undefined> {
  const { jobs, now, backoff } = context;
  const turn = await context.turnOf(job);
  if (turn === null) return endJob(context, job);
  const request = toTurnRequest(turn);
  const answer = await context.callModel(
    { model: context.model, system: request.system, text: request.text },
    context.closing,
  );
  if (answer.type !== "answered") return releaseJob(context, job, answer);
  backoff.clear();
  const parsed = parseAnswer(answer.text, request.observationIds);
  const { inputTokens, outputTokens } = answer;
  const isFailed = parsed.type === "unusable";
  // Before anything else, because paid tokens count whatever happens next.
  await jobs((queue) => queue.spend(spendDay(now()), answer.model, { inputTokens, outputTokens, isFailed }));
  if (isFailed) return failJob(context, job, parsed.why);
  await context.write(toAnswerEvents(turn, answer, parsed, new Date(now()).toISOString()));
  backoff.noteError(null);
  return endJob(context, job);
}

/** Records a failure of the job itself. */
export async function failJob(
  { jobs, now, backoff }: SummariseJobContext,
  job: MemoryJob,
  message: string,
): Promise<undefined> {
  backoff.noteError(message);
  await jobs((queue) => queue.failed(job, message, now()));
}

async function endJob({ jobs }: SummariseJobContext, job: MemoryJob): Promise<undefined> {
  await jobs((queue) => queue.done(job));
}

async function releaseJob(
  context: SummariseJobContext,
  job: MemoryJob,
  answer: Exclude<ModelAnswer, { type: "answered" }>,
): Promise<number | undefined> {
  const { jobs, now, backoff, closing } = context;
  if (answer.type === "failed" && !closing.aborted) return failJob(context, job, answer.message);
  await jobs((queue) => queue.release(job));
  if (answer.type === "failed") return undefined;
  backoff.noteError(answer.message);
  const { by, untilMs } = stopAfter(answer, now());
  backoff.halt(by, untilMs);
  return untilMs;
}

function stopAfter(
  answer: Exclude<ModelAnswer, { type: "answered" | "failed" }>,
  nowMs: number,
): { readonly by: StoppedBy; readonly untilMs: number } {
  switch (answer.type) {
    case "rate_limited":
      return { by: "rate_limit", untilMs: Math.max(answer.retryAtMs, nowMs + 1_000) };
    case "auth_failed":
      return { by: "auth", untilMs: nowMs + AUTH_RETRY_MS };
    case "overloaded":
      return { by: "overload", untilMs: nowMs + OVERLOAD_RETRY_MS };
    case "unavailable":
      return { by: "unavailable", untilMs: nowMs + AUTH_RETRY_MS };
    default:
      return answer satisfies never;
  }
}
