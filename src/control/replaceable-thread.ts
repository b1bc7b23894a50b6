import { Worker } from "node:worker_threads";
import type { JudgeWorkerData, JudgeWorkerMessage } from "./judge-messages.ts";

/** The judging thread: starts on demand, and again after it ended. */
export interface ReplaceableThread {
  /** Starts a thread if there is none; null while it is starting. */
  ready(): Worker | null;
  /** Terminates the thread. `onEnd` is called before it is gone. */
  drop(): void;
  close(): Promise<void>;
}

export interface ReplaceableThreadOptions {
  readonly home: string;
  readonly file: URL;
  /** Not called for late messages of an ended thread. */
  readonly onMessage: (message: JudgeWorkerMessage) => void;
  /** `wasReady`: whether it got as far as starting. */
  readonly onEnd: (wasReady: boolean) => void;
}

/** Enough for the largest payload; a request that needs more is not judged. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 192 };

export function createReplaceableThread(options: ReplaceableThreadOptions): ReplaceableThread {
  const { home, file, onMessage, onEnd } = options;
  let thread: { readonly worker: Worker; isReady: boolean } | null = null;

  function start(): NonNullable<typeof thread> {
    const workerData: JudgeWorkerData = { home };
    const worker = new Worker(file, { workerData, resourceLimits: RESOURCE_LIMITS });
    const started = { worker, isReady: false };
    thread = started;
    worker.unref();
    worker.on("message", (message: JudgeWorkerMessage) => {
      if (thread !== started) return;
      if (message === "ready") started.isReady = true;
      onMessage(message);
    });
    worker.on("error", () => onThreadEnd(started));
    worker.on("exit", () => onThreadEnd(started));
    return started;
  }

  function onThreadEnd(endedThread: NonNullable<typeof thread>): void {
    if (thread !== endedThread) return;
    thread = null;
    onEnd(endedThread.isReady);
  }

  return {
    ready() {
      const { worker, isReady } = thread ?? start();
      return isReady ? worker : null;
    },
    drop() {
      const current = thread;
      if (current === null) return;
      onThreadEnd(current);
      void current.worker.terminate();
    },
    async close() {
      await thread?.worker.terminate();
    },
  };
}
