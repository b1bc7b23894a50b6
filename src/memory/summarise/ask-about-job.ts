import type { HooklineEvent } from "../../event/event.ts";
import type { JobTurn, MemoryJob, MemoryJobs } from "../../store/memory-jobs.ts";
import { toAnswerEvents } from "./answer-events.ts";
import { type AskedTurn, toAsk } from "./ask-prompt.ts";
import type { AskModel, ModelAnswer } from "./model-answer.ts";
import type { StoppedBy } from "./model-status.ts";
import type { ModelStop } from "./model-stop.ts";
import { parseAnswer } from "./parse-answer.ts";
import { dayOf } from "./spend-day.ts";

export interface AskAboutOptions {
  /** The queue, wherever the database is by now. */
  readonly jobs: <T>(work: (jobs: MemoryJobs) => Promise<T>) => Promise<T>;
  readonly ask: AskModel;
  /** Null when there is nothing to ask: private, forgotten, gone. */
  readonly turnOf: (turn: JobTurn) => Promise<AskedTurn | null>;
  /** Returns when the events are in the log. */
  readonly write: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly now: () => number;
}

export interface AskAboutContext extends AskAboutOptions {
  readonly model: string;
  readonly stop: ModelStop;
  /** Stops a call that is under way; its job goes back. */
  readonly closing: AbortSignal;
}

const MINUTE_MS = 60_000;
const AUTH_MS = 30 * MINUTE_MS;
const OVERLOAD_MS = 5 * MINUTE_MS;

/** Asks about one job. Gives when to ask again, where the model cannot be asked now: then the job goes back. */
export async function askAboutJob(context: AskAboutContext, job: MemoryJob): Promise<number | undefined> {
  const { jobs, now, stop } = context;
  const turn = await context.turnOf(job);
  if (turn === null) return endJob(context, job);
  const request = toAsk(turn);
  const answer = await context.ask(
    { model: context.model, system: request.system, text: request.text },
    context.closing,
  );
  if (answer.type !== "answered") return giveBack(context, job, answer);
  stop.clear();
  const parsed = parseAnswer(answer.text, request.observationIds);
  const { inputTokens, outputTokens } = answer;
  const isFailed = parsed.type === "unusable";
  // First of all: what is paid for is counted, whatever becomes of it.
  await jobs((queue) => queue.spend(dayOf(now()), answer.model, { inputTokens, outputTokens, isFailed }));
  if (isFailed) return failJob(context, job, parsed.why);
  await context.write(toAnswerEvents(turn, answer, parsed, new Date(now()).toISOString()));
  stop.noteError(null);
  return endJob(context, job);
}

/** It was the job's own fault. */
export async function failJob(
  { jobs, now, stop }: AskAboutContext,
  job: MemoryJob,
  message: string,
): Promise<undefined> {
  stop.noteError(message);
  await jobs((queue) => queue.failed(job, message, now()));
}

async function endJob({ jobs }: AskAboutContext, job: MemoryJob): Promise<undefined> {
  await jobs((queue) => queue.done(job));
}

async function giveBack(
  context: AskAboutContext,
  job: MemoryJob,
  answer: Exclude<ModelAnswer, { type: "answered" }>,
): Promise<number | undefined> {
  const { jobs, now, stop, closing } = context;
  if (answer.type === "failed" && !closing.aborted) return failJob(context, job, answer.message);
  await jobs((queue) => queue.release(job));
  if (answer.type === "failed") return undefined;
  stop.noteError(answer.message);
  const { by, untilMs } = stopAfter(answer, now());
  stop.halt(by, untilMs);
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
      return { by: "auth", untilMs: nowMs + AUTH_MS };
    case "overloaded":
      return { by: "overload", untilMs: nowMs + OVERLOAD_MS };
    case "unavailable":
      return { by: "unavailable", untilMs: nowMs + AUTH_MS };
    default:
      return answer satisfies never;
  }
}
