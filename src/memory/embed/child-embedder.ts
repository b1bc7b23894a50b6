import type { Env } from "../../home.ts";
import { createCrashGuard } from "./crash-guard.ts";
import { embedderClosed, embedderUnavailable } from "./embed-errors.ts";
import { createEmbedJobs } from "./embed-jobs.ts";
import { type Embedder, MAX_CHARS } from "./embedder-contract.ts";
import type { ModelFiles } from "./model-folder.ts";
import { createEmbedRunner } from "./run-embed-jobs.ts";

export interface ChildEmbedderOptions {
  readonly env?: Env;
  /** Idle time after which the child exits and frees its memory. */
  readonly idleMs?: number;
  /** No answer for this long counts as a crash. */
  readonly answerMs?: number;
  readonly clock?: () => number;
}

/** For tests and measurements, beyond the contract. */
export interface ChildEmbedder extends Embedder {
  pid(): number | undefined;
}

/** An embedder in its own process, started on first use and again after it ended. */
export function createChildEmbedder(model: ModelFiles, options: ChildEmbedderOptions = {}): ChildEmbedder {
  const { env = process.env, idleMs = 60_000, answerMs = 60_000, clock = () => performance.now() } = options;
  const jobs = createEmbedJobs();
  const crashes = createCrashGuard(clock);
  const onVectors = ([first]: readonly Float32Array[]): void => {
    dimensions ??= first?.length ?? null;
  };
  const runner = createEmbedRunner({ jobs, crashes, model, env, answerMs, idleMs, onVectors });
  let dimensions = model.dimensions;
  let isClosed = false;

  return {
    name: model.name,
    get dimensions() {
      return dimensions;
    },
    embed(texts, { signal } = {}) {
      if (isClosed) return Promise.reject(embedderClosed());
      const blockedReason = crashes.blockedReason();
      if (blockedReason !== null) return Promise.reject(embedderUnavailable(blockedReason));
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (texts.length === 0) return Promise.resolve([]);
      const { job, vectors } = jobs.add(texts.map((text) => text.slice(0, MAX_CHARS)));
      const abort = (): void => {
        jobs.drop(job, signal?.reason);
        runner.run();
      };
      signal?.addEventListener("abort", abort, { once: true });
      runner.run();
      return vectors.finally(() => signal?.removeEventListener("abort", abort));
    },
    isWarm: () => runner.isWarm(),
    warm() {
      if (!isClosed && crashes.blockedReason() === null) runner.warm();
    },
    unavailableReason: () => crashes.blockedReason(),
    pid: () => runner.pid(),
    async close() {
      isClosed = true;
      jobs.dropAll(embedderClosed);
      await runner.close();
    },
  };
}
