import type { Env } from "../../home.ts";
import type { EmbedAnswer } from "./embed-messages.ts";
import { startEmbedProcess } from "./embed-process.ts";
import { type EmbedJob, nextTexts } from "./embed-queue.ts";
import type { RunnableModel } from "./run-model.ts";

/** One child process, from its start to its end, and the job that it works on. */
export interface EmbedWorker {
  readonly pid: number | undefined;
  /** The model is loaded. */
  isReady(): boolean;
  /** Loaded, and nothing is under way. */
  isFree(): boolean;
  /** Sends the next texts of a job. Only to one that is free. */
  work(job: EmbedJob): void;
  /** Whether this process waits for the child, or may end without it. */
  hold(isHeld: boolean): void;
  /** Lets go of it. Resolves when it is gone. */
  release(): Promise<void>;
}

export interface EmbedWorkerOptions {
  readonly model: RunnableModel;
  readonly env: Env;
  /** No answer for so long counts as a crash. */
  readonly answerMs: number;
  /** `job`: what it worked on, if anything. */
  readonly onAnswer: (answer: WorkerAnswer, job: EmbedJob | null) => void;
  readonly onEnd: (why: string, job: EmbedJob | null) => void;
}

/** One that is broken says so and ends: that is told as its end. */
export type WorkerAnswer = Exclude<EmbedAnswer, { type: "broken" }>;

export function startEmbedWorker(options: EmbedWorkerOptions): EmbedWorker {
  const { answerMs } = options;
  const child = startEmbedProcess(options.model, options.env, onAnswer, onEnd);
  let isReady = false;
  let running: EmbedJob | null = null;
  let fault: string | null = null;
  let overdue = expectAnswer();

  function expectAnswer(): NodeJS.Timeout {
    return setTimeout(() => {
      fault = `it gave no answer for ${answerMs / 1_000} s`;
      child.kill();
    }, answerMs).unref();
  }

  function onAnswer(answer: EmbedAnswer): void {
    clearTimeout(overdue);
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
    clearTimeout(overdue);
    options.onEnd(fault ?? why, running);
  }

  return {
    pid: child.pid,
    isReady: () => isReady,
    isFree: () => isReady && running === null,
    work(job) {
      running = job;
      overdue = expectAnswer();
      child.send({ texts: nextTexts(job), isBackground: job.isBackground });
    },
    hold: (isHeld) => child.hold(isHeld),
    release() {
      clearTimeout(overdue);
      child.release();
      return child.ended;
    },
  };
}
