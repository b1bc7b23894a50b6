import type { Env } from "../../home.ts";
import type { EmbedAnswer } from "./embed-messages.ts";
import { startEmbedProcess } from "./embed-process.ts";
import { type EmbedJob, nextTexts } from "./embed-queue.ts";
import type { RunnableModel } from "./run-model.ts";

/** One child process from start to end, and its current job. */
export interface EmbedWorker {
  readonly pid: number | undefined;
  /** The model is loaded. */
  isReady(): boolean;
  /** Loaded and idle. */
  isFree(): boolean;
  /** Sends the next texts of a job. Only call it when free. */
  work(job: EmbedJob): void;
  /** Whether the child keeps this process alive. */
  keepAlive(isHeld: boolean): void;
  /** Releases the child. Resolves when it has exited. */
  release(): Promise<void>;
}

export interface EmbedWorkerOptions {
  readonly model: RunnableModel;
  readonly env: Env;
  /** No answer for this long counts as a crash. */
  readonly answerMs: number;
  /** `job` is what it was working on, if anything. */
  readonly onAnswer: (answer: WorkerAnswer, job: EmbedJob | null) => void;
  readonly onEnd: (why: string, job: EmbedJob | null) => void;
}

/** `broken` is not passed on: the child exits next, and `onEnd` reports the reason. */
export type WorkerAnswer = Exclude<EmbedAnswer, { type: "broken" }>;

export function startEmbedWorker(options: EmbedWorkerOptions): EmbedWorker {
  const { answerMs } = options;
  const child = startEmbedProcess(options.model, options.env, onAnswer, onEnd);
  let isReady = false;
  let running: EmbedJob | null = null;
  let fault: string | null = null;
  let answerTimer = startAnswerTimer();

  function startAnswerTimer(): NodeJS.Timeout {
    return setTimeout(() => {
      fault = `no answer for ${answerMs / 1_000} s`;
      child.kill();
    }, answerMs).unref();
  }

  function onAnswer(answer: EmbedAnswer): void {
    clearTimeout(answerTimer);
    const job = running;
    running = null;
    if (answer.type === "broken") {
      fault = answer.why;
      return;
    }
    if (answer.type === "ready") isReady = true;
    options.onAnswer(answer, job);
  }

  function onEnd(why: string): void {
    clearTimeout(answerTimer);
    options.onEnd(fault ?? why, running);
  }

  return {
    pid: child.pid,
    isReady: () => isReady,
    isFree: () => isReady && running === null,
    work(job) {
      running = job;
      answerTimer = startAnswerTimer();
      child.send({ texts: nextTexts(job), isBackground: job.isBackground });
    },
    keepAlive: (isHeld) => child.keepAlive(isHeld),
    release() {
      clearTimeout(answerTimer);
      child.release();
      return child.ended;
    },
  };
}
