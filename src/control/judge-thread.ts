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
  readonly limits?: Partial<typeof LIMITS>;
}

/** The hook waits 1.5 s; a call without an answer by then is not checked at all. */
const LIMITS = {
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
  readonly question: JudgeJob;
  readonly timer: NodeJS.Timeout;
}

export function openJudgeThread(options: JudgeThreadOptions): JudgeThread {
  const limits = { ...LIMITS, ...options.limits };
  const { home, file = WORKER_FILE } = options;
  const questions = createJudgeQueue(limits);
  const thread = createReplaceableThread({ home, file, onMessage, onEnd });
  let asked: RunningJob | null = null;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  function onMessage(message: JudgeWorkerMessage): void {
    if (message !== "ready" && asked?.id === message.id) answered(message.verdict);
    askNext();
  }

  /** The question that an ended thread was working on gets no verdict; waiting ones go to the next thread. */
  function onEnd(wasReady: boolean): void {
    answered("late");
    if (wasReady) askNext();
    // Don't keep restarting a thread that cannot even start.
    else questions.abandonAll();
  }

  function askNext(): void {
    clearTimeout(idle);
    if (asked !== null || isClosed) return;
    if (questions.isEmpty()) {
      idle = setTimeout(thread.drop, limits.idleMs).unref();
      return;
    }
    const worker = thread.ready();
    if (worker !== null) ask(worker, questions.next());
  }

  function ask(worker: Pick<Worker, "postMessage">, question: JudgeJob): void {
    const id = ++lastId;
    const timer = setTimeout(() => {
      // The answer may already be queued behind whatever blocked this thread.
      setImmediate(() => {
        if (asked?.id === id) thread.drop();
      });
    }, question.answerMs);
    asked = { id, question, timer };
    try {
      worker.postMessage({ id, policy: question.policy, request: question.request });
    } catch {
      // It contains a value that cannot be sent to a thread.
      answered("unstarted");
      askNext();
    }
  }

  function answered(verdict: ThreadVerdict): void {
    if (asked === null) return;
    clearTimeout(asked.timer);
    asked.question.settle(verdict);
    asked = null;
  }

  return {
    judge(policy, request, characters = 0) {
      if (isClosed) return Promise.resolve("unstarted");
      const verdict = questions.add(policy, request, characters);
      askNext();
      return verdict;
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      questions.abandonAll();
      answered("unstarted");
      await thread.close();
    },
  };
}

/** Sources run as they are; the published package has them compiled. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith(".ts") ? "./judge-worker.ts" : "./judge-worker.js",
  import.meta.url,
);
