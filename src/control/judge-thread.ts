import type { Worker } from "node:worker_threads";
import type { PolicyRequest } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";
import type { JudgeWorkerMessage } from "./judge-messages.ts";
import { createJudgeQueue, type JudgeJob, type ThreadVerdict } from "./judge-queue.ts";
import { createReplaceableThread } from "./replaceable-thread.ts";

/** Judges in a thread that starts with the first question and is replaced if it does not answer in time. */
export interface JudgeThread {
  judge(policy: Policy, request: PolicyRequest, characters?: number): Promise<ThreadVerdict>;
  close(): Promise<void>;
}

export interface JudgeThreadOptions {
  readonly home: string;
  /** The thread's program, replaced in tests. */
  readonly file?: URL;
  readonly limits?: Partial<typeof DEFAULT_LIMITS>;
}

/** The hook waits 1.5 s; a call without an answer by then is not checked at all. */
const DEFAULT_LIMITS = {
  /** Per question, once the thread has it. A backstop: the work that is counted takes about 50 ms. */
  answerMs: 500,
  /** For the thread's start, or for the questions before this one. */
  startMs: 400,
  /** The thread ends after this long without a question, to free its memory. */
  idleMs: 60_000,
};

/** The question that the thread is working on. */
interface RunningJob {
  readonly id: number;
  readonly job: JudgeJob;
  readonly timer: NodeJS.Timeout;
}

export function openJudgeThread(options: JudgeThreadOptions): JudgeThread {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { home, file = WORKER_FILE } = options;
  const queue = createJudgeQueue(limits);
  const thread = createReplaceableThread({ home, file, onMessage, onEnd });
  let running: RunningJob | null = null;
  let lastId = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function onMessage(message: JudgeWorkerMessage): void {
    if (message !== "ready" && running?.id === message.id) settleRunning(message.verdict);
    runNext();
  }

  /** The question that an ended thread was working on gets no verdict; waiting ones go to the next thread. */
  function onEnd(wasReady: boolean): void {
    settleRunning("late");
    if (wasReady) runNext();
    // Don't keep restarting a thread that cannot even start.
    else queue.abandonAll();
  }

  function runNext(): void {
    clearTimeout(idleTimer);
    if (running !== null || isClosed) return;
    if (queue.isEmpty()) {
      idleTimer = setTimeout(thread.drop, limits.idleMs).unref();
      return;
    }
    const worker = thread.ready();
    if (worker !== null) run(worker, queue.next());
  }

  function run(worker: Pick<Worker, "postMessage">, job: JudgeJob): void {
    const id = ++lastId;
    const timer = setTimeout(() => {
      // The answer may already be queued behind whatever blocked this thread.
      setImmediate(() => {
        if (running?.id === id) thread.drop();
      });
    }, job.answerMs);
    running = { id, job, timer };
    try {
      worker.postMessage({ id, policy: job.policy, request: job.request });
    } catch {
      // It contains a value that cannot be sent to a thread.
      settleRunning("unstarted");
      runNext();
    }
  }

  function settleRunning(verdict: ThreadVerdict): void {
    if (running === null) return;
    clearTimeout(running.timer);
    running.job.settle(verdict);
    running = null;
  }

  return {
    judge(policy, request, characters = 0) {
      if (isClosed) return Promise.resolve("unstarted");
      const verdict = queue.add(policy, request, characters);
      runNext();
      return verdict;
    },
    async close() {
      isClosed = true;
      clearTimeout(idleTimer);
      queue.abandonAll();
      settleRunning("unstarted");
      await thread.close();
    },
  };
}

/** Runs from source; the published package has it compiled. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith(".ts") ? "./judge-worker.ts" : "./judge-worker.js",
  import.meta.url,
);
