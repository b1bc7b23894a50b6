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
const HEAP = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 192 };

export function createReplaceableThread(options: ReplaceableThreadOptions): ReplaceableThread {
  const { home, file, onMessage, onEnd } = options;
  let thread: { readonly worker: Worker; isReady: boolean } | null = null;

  function start(): NonNullable<typeof thread> {
    const workerData: JudgeWorkerData = { home };
    const worker = new Worker(file, { workerData, resourceLimits: HEAP });
    const begun = { worker, isReady: false };
    thread = begun;
    worker.unref();
    worker.on("message", (message: JudgeWorkerMessage) => {
      if (thread !== begun) return;
      if (message === "ready") begun.isReady = true;
      onMessage(message);
    });
    worker.on("error", () => ended(begun));
    worker.on("exit", () => ended(begun));
    return begun;
  }

  function ended(which: NonNullable<typeof thread>): void {
    if (thread !== which) return;
    thread = null;
    onEnd(which.isReady);
  }

  return {
    ready() {
      const { worker, isReady } = thread ?? start();
      return isReady ? worker : null;
    },
    drop() {
      const old = thread;
      if (old === null) return;
      ended(old);
      void old.worker.terminate();
    },
    async close() {
      await thread?.worker.terminate();
    },
  };
}
