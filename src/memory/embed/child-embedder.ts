import { AppError } from "../../app-error.ts";
import type { Env } from "../../home.ts";
import { countCrash, describeBlock, NO_CRASHES } from "./crash-count.ts";
import type { EmbedAnswer } from "./embed-messages.ts";
import { type EmbedProcess, startEmbedProcess } from "./embed-process.ts";
import { type EmbedJob, nextJob, nextTexts } from "./embed-queue.ts";
import { type Embedder, MAX_CHARS } from "./embedder-contract.ts";
import type { ModelFiles } from "./model-folder.ts";

export interface ChildEmbedderOptions {
  readonly env?: Env;
  /** After so long without work the child is gone, and its memory with it. */
  readonly idleMs?: number;
  /** No answer for so long counts as a crash. */
  readonly answerMs?: number;
  readonly clock?: () => number;
}

/** For tests and measurements beside the contract. */
export interface ChildEmbedder extends Embedder {
  pid(): number | undefined;
}

interface Life {
  readonly process: EmbedProcess;
  isReady: boolean;
  running: { readonly job: EmbedJob; readonly size: number } | null;
  why: string | null;
  watch: NodeJS.Timeout | undefined;
}

/** An embedder in a process of its own, started with the first work and again after it ended. */
export function createChildEmbedder(model: ModelFiles, options: ChildEmbedderOptions = {}): ChildEmbedder {
  const { env = process.env, idleMs = 60_000, answerMs = 60_000, clock = () => performance.now() } = options;
  const jobs: EmbedJob[] = [];
  const leaving = new Set<Promise<void>>();
  let life: Life | null = null;
  let idle: NodeJS.Timeout | undefined;
  let crashes = NO_CRASHES;
  let dimensions = model.dimensions;
  let isClosed = false;

  function pump(): void {
    const job = nextJob(jobs);
    clearTimeout(idle);
    if (job === undefined) {
      rest();
      return;
    }
    life ??= start();
    life.process.hold(true);
    if (!life.isReady || life.running !== null) return;
    const texts = nextTexts(job);
    life.running = { job, size: texts.length };
    watch(life);
    life.process.send({ texts, isBackground: job.isBackground });
  }

  function rest(): void {
    if (life === null) return;
    life.process.hold(false);
    // What still runs for a call that was given up is waited for.
    if (life.isReady && life.running === null) idle = setTimeout(retire, idleMs).unref();
  }

  function start(): Life {
    const started: Life = {
      process: startEmbedProcess(
        model,
        env,
        (answer) => onAnswer(started, answer),
        (why) => onEnd(started, started.why ?? why),
      ),
      isReady: false,
      running: null,
      why: null,
      watch: undefined,
    };
    watch(started);
    return started;
  }

  function watch(watched: Life): void {
    watched.watch = setTimeout(() => {
      watched.why = `it gave no answer for ${answerMs / 1_000} s`;
      watched.process.kill();
    }, answerMs).unref();
  }

  function onAnswer(from: Life, answer: EmbedAnswer): void {
    clearTimeout(from.watch);
    const { running } = from;
    from.running = null;
    switch (answer.type) {
      case "ready":
        from.isReady = true;
        break;
      case "broken":
        from.why = answer.why;
        return;
      case "vectors":
        crashes = NO_CRASHES;
        if (running !== null) take(running.job, answer.vectors);
        break;
      case "failed":
        if (running !== null) drop(running.job, failed(answer.why));
        break;
      default:
        answer satisfies never;
    }
    if (from === life) pump();
  }

  function take(job: EmbedJob, vectors: readonly Float32Array[]): void {
    dimensions ??= vectors[0]?.length ?? null;
    job.vectors.push(...vectors);
    job.done += vectors.length;
    if (job.done < job.texts.length) return;
    remove(job);
    job.resolve(job.vectors);
  }

  function onEnd(from: Life, why: string): void {
    clearTimeout(from.watch);
    if (from !== life) return;
    life = null;
    crashes = countCrash(crashes, clock(), why);
    const job = from.running?.job ?? nextJob(jobs);
    if (job !== undefined) drop(job, failed(why));
    const block = describeBlock(crashes, clock());
    if (block !== null) for (const each of [...jobs]) drop(each, unavailable(block));
    if (jobs.length > 0) pump();
  }

  function retire(): void {
    const old = life;
    life = null;
    if (old === null) return;
    clearTimeout(old.watch);
    leaving.add(old.process.ended);
    void old.process.ended.then(() => leaving.delete(old.process.ended));
    old.process.release();
  }

  function drop(job: EmbedJob, error: unknown): void {
    remove(job);
    job.reject(error);
  }

  function remove(job: EmbedJob): void {
    const at = jobs.indexOf(job);
    if (at !== -1) jobs.splice(at, 1);
  }

  return {
    name: model.name,
    get dimensions() {
      return dimensions;
    },
    embed(texts, { signal } = {}) {
      const trouble = isClosed ? null : describeBlock(crashes, clock());
      if (isClosed) return Promise.reject(closed());
      if (trouble !== null) return Promise.reject(unavailable(trouble));
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (texts.length === 0) return Promise.resolve([]);
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
      const job: EmbedJob = {
        texts: texts.map((text) => text.slice(0, MAX_CHARS)),
        isBackground: texts.length > 1,
        vectors: [],
        done: 0,
        resolve,
        reject,
      };
      const giveUp = (): void => {
        drop(job, signal?.reason);
        pump();
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      jobs.push(job);
      pump();
      return promise.finally(() => signal?.removeEventListener("abort", giveUp));
    },
    isWarm: () => life?.isReady === true,
    warm() {
      if (isClosed || describeBlock(crashes, clock()) !== null) return;
      life ??= start();
      pump();
    },
    trouble: () => describeBlock(crashes, clock()),
    pid: () => life?.process.pid,
    async close() {
      isClosed = true;
      clearTimeout(idle);
      for (const job of [...jobs]) drop(job, closed());
      life?.process.hold(true);
      retire();
      await Promise.all(leaving);
    },
  };
}

function failed(why: string): AppError {
  return new AppError("embedder_failed", `the embedder could not do it: ${why}`);
}

function unavailable(why: string): AppError {
  return new AppError("embedder_unavailable", why);
}

function closed(): AppError {
  return new AppError("embedder_closed", "the embedder was closed");
}
