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

/** Runs jobs on one worker at a time: started on demand, retired when idle, replaced after a crash. */
export interface EmbedRunner {
  /** Call when there may be work, or none any more. */
  run(): void;
  /** Starts a worker, or keeps the running one. */
  warm(): void;
  isWarm(): boolean;
  pid(): number | undefined;
  /** Resolves when no worker is left. */
  close(): Promise<void>;
}

export interface EmbedRunnerOptions extends Pick<EmbedWorkerOptions, "model" | "env" | "answerMs"> {
  readonly jobs: EmbedJobs;
  readonly crashes: CrashGuard;
  /** Idle time after which the worker is retired. */
  readonly idleMs: number;
  readonly onVectors: (vectors: readonly Float32Array[]) => void;
}

export function createEmbedRunner(options: EmbedRunnerOptions): EmbedRunner {
  const { jobs, crashes } = options;
  const retiring = new Set<Promise<void>>();
  let worker: EmbedWorker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;

  function run(): void {
    const job = jobs.next();
    clearTimeout(idleTimer);
    if (job === undefined) {
      worker?.keepAlive(false);
      // A worker still busy with an abandoned call is not retired yet.
      if (worker?.isFree()) idleTimer = setTimeout(retire, options.idleMs).unref();
      return;
    }
    worker ??= start();
    worker.keepAlive(true);
    if (worker.isFree()) worker.work(job);
  }

  function start(): EmbedWorker {
    const started = startEmbedWorker({
      ...options,
      onAnswer(answer, job) {
        if (answer.type === "vectors") crashes.reset();
        if (job !== null) applyAnswer(options, job, answer);
        if (started === worker) run();
      },
      onEnd(why, job) {
        if (started === worker) replace(why, job);
      },
    });
    return started;
  }

  /** Fails the job it was working on, or else the one it was started for. */
  function replace(why: string, job: EmbedJob | null): void {
    worker = null;
    crashes.recordCrash(why);
    const failedJob = job ?? jobs.next();
    if (failedJob !== undefined) jobs.drop(failedJob, embedderFailed(why));
    const block = crashes.blockedReason();
    if (block !== null) jobs.dropAll(() => embedderUnavailable(block));
    if (!jobs.isEmpty()) run();
  }

  function retire(): void {
    if (worker === null) return;
    const exited = worker.release();
    worker = null;
    retiring.add(exited);
    void exited.then(() => retiring.delete(exited));
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
      clearTimeout(idleTimer);
      worker?.keepAlive(true);
      retire();
      await Promise.all(retiring);
    },
  };
}

function applyAnswer({ jobs, onVectors }: EmbedRunnerOptions, job: EmbedJob, answer: WorkerAnswer): void {
  if (answer.type === "failed") jobs.drop(job, embedderFailed(answer.why));
  if (answer.type !== "vectors") return;
  onVectors(answer.vectors);
  jobs.addVectors(job, answer.vectors);
}
