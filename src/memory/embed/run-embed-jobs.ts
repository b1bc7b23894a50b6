import type { CrashGuard } from "./crash-guard.ts";
import { embedderFailed, embedderUnavailable } from "./embed-errors.ts";
import type { EmbedJobs } from "./embed-jobs.ts";
import type { EmbedJob } from "./embed-queue.ts";
import {
  type EmbedWorker,
  type EmbedWorkerOptions,
  startEmbedWorker,
  type WorkerAnswer,
} from "./embed-worker.ts";

/** Has jobs done by one worker at a time: started for the first job, retired when idle, replaced after a crash. */
export interface EmbedRunner {
  /** There may be something to do, or no longer. */
  run(): void;
  /** Starts a worker, or keeps the one that runs. */
  warm(): void;
  isWarm(): boolean;
  pid(): number | undefined;
  /** Resolves when no worker is left. */
  close(): Promise<void>;
}

export interface EmbedRunnerOptions extends Pick<EmbedWorkerOptions, "model" | "env" | "answerMs"> {
  readonly jobs: EmbedJobs;
  readonly crashes: CrashGuard;
  /** After so long without work the worker is retired. */
  readonly idleMs: number;
  readonly onVectors: (vectors: readonly Float32Array[]) => void;
}

export function createEmbedRunner(options: EmbedRunnerOptions): EmbedRunner {
  const { jobs, crashes } = options;
  const leaving = new Set<Promise<void>>();
  let worker: EmbedWorker | null = null;
  let idle: NodeJS.Timeout | undefined;

  function run(): void {
    const job = jobs.next();
    clearTimeout(idle);
    if (job === undefined) {
      worker?.hold(false);
      // What still runs for a call that was given up is waited for.
      if (worker?.isFree()) idle = setTimeout(retire, options.idleMs).unref();
      return;
    }
    worker ??= start();
    worker.hold(true);
    if (worker.isFree()) worker.work(job);
  }

  function start(): EmbedWorker {
    const started = startEmbedWorker({
      ...options,
      onAnswer(answer, job) {
        if (answer.type === "vectors") crashes.clear();
        if (job !== null) applyAnswer(options, job, answer);
        if (started === worker) run();
      },
      onEnd(why, job) {
        if (started === worker) replace(why, job);
      },
    });
    return started;
  }

  /** The job that it worked on fails; without one, the job it was started for. */
  function replace(why: string, job: EmbedJob | null): void {
    worker = null;
    crashes.count(why);
    const lost = job ?? jobs.next();
    if (lost !== undefined) jobs.drop(lost, embedderFailed(why));
    const block = crashes.block();
    if (block !== null) jobs.dropAll(() => embedderUnavailable(block));
    if (!jobs.isEmpty()) run();
  }

  function retire(): void {
    if (worker === null) return;
    const gone = worker.release();
    worker = null;
    leaving.add(gone);
    void gone.then(() => leaving.delete(gone));
  }

  return {
    run,
    warm() {
      worker ??= start();
      run();
    },
    isWarm: () => worker?.isReady() === true,
    pid: () => worker?.pid,
    async close() {
      clearTimeout(idle);
      worker?.hold(true);
      retire();
      await Promise.all(leaving);
    },
  };
}

function applyAnswer({ jobs, onVectors }: EmbedRunnerOptions, job: EmbedJob, answer: WorkerAnswer): void {
  if (answer.type === "failed") jobs.drop(job, embedderFailed(answer.why));
  if (answer.type !== "vectors") return;
  onVectors(answer.vectors);
  jobs.take(job, answer.vectors);
}
