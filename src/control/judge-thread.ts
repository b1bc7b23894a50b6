import { Worker } from "node:worker_threads";
import type { PolicyRequest, Verdict } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";
import type { FromJudgeWorker, JudgeWorkerData } from "./judge-messages.ts";

/** Judges in a thread that starts with the first question and is replaced when it does not answer in time. */
export interface JudgeThread {
  judge(policy: Policy, request: PolicyRequest, characters?: number): Promise<ThreadVerdict>;
  close(): Promise<void>;
}

/** `late`: it was at it for too long. `unstarted`: it could not begin, which says nothing about the request. */
export type ThreadVerdict = Verdict | "late" | "unstarted";

export interface JudgeThreadOptions {
  readonly home: string;
  /** The program of the thread: another one in tests. */
  readonly file?: URL;
  readonly limits?: Partial<typeof LIMITS>;
}

/** The hook waits 1.5 s; what it does not get by then is not checked at all. */
const LIMITS = {
  /** For one question, from when the thread has it. A backstop: the work that is counted takes about 50 ms. */
  answerMs: 500,
  /** For the start of the thread, or the questions before this one. */
  startMs: 400,
  /** Without a question for so long the thread ends and gives its memory back. */
  idleMs: 60_000,
};
/** Scanned for secrets in a millisecond, in the worst case. */
const CHARACTERS_PER_MS = 2_000;
/** Worth a longer wait for the thread. */
const MUCH = 100_000;
/** With the start still in time for the hook. */
const MAX_ANSWER_MS = 600;

interface Question {
  readonly policy: Policy;
  readonly request: PolicyRequest;
  readonly answerMs: number;
  readonly starting: NodeJS.Timeout;
  readonly settle: (verdict: ThreadVerdict) => void;
}

export function openJudgeThread(options: JudgeThreadOptions): JudgeThread {
  const limits = { ...LIMITS, ...options.limits };
  const waiting = new Set<Question>();
  let thread: { readonly worker: Worker; isReady: boolean } | null = null;
  let asked: { readonly id: number; readonly question: Question; readonly timer: NodeJS.Timeout } | null =
    null;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  function running(): NonNullable<typeof thread> {
    if (thread !== null) return thread;
    const workerData: JudgeWorkerData = { home: options.home };
    const worker = new Worker(options.file ?? WORKER_FILE, { workerData, resourceLimits: HEAP });
    const begun = { worker, isReady: false };
    thread = begun;
    worker.unref();
    worker.on("message", (message: FromJudgeWorker) => {
      if (thread !== begun) return;
      if (message === "ready") begun.isReady = true;
      else if (asked?.id === message.id) answered(message.verdict);
      askNext();
    });
    worker.on("error", () => ended(begun));
    worker.on("exit", () => ended(begun));
    return begun;
  }

  function askNext(): void {
    clearTimeout(idle);
    const [question] = waiting;
    if (asked !== null || isClosed) return;
    if (question === undefined) {
      idle = setTimeout(() => replace(), limits.idleMs).unref();
      return;
    }
    const { worker, isReady } = running();
    if (!isReady) return;
    waiting.delete(question);
    const id = ++lastId;
    clearTimeout(question.starting);
    const timer = setTimeout(() => {
      // The answer may be there already, behind whatever kept this thread busy.
      setImmediate(() => {
        if (asked?.id === id) replace();
      });
    }, question.answerMs);
    asked = { id, question, timer };
    try {
      worker.postMessage({ id, policy: question.policy, request: question.request });
    } catch {
      // It holds what cannot be sent to a thread.
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

  /** What is asked of a thread that ended has no verdict; what waits is asked of the next one. */
  function ended(which: NonNullable<typeof thread>): void {
    if (thread !== which) return;
    const wasReady = which.isReady;
    thread = null;
    answered("late");
    if (wasReady) askNext();
    // One that cannot even start is not started again and again.
    else for (const { settle } of waiting) settle("unstarted");
  }

  function replace(): void {
    const old = thread;
    if (old === null) return;
    ended(old);
    void old.worker.terminate();
  }

  return {
    judge(policy, request, characters = 0) {
      if (isClosed) return Promise.resolve("unstarted");
      const { promise, resolve } = Promise.withResolvers<ThreadVerdict>();
      const question: Question = {
        policy,
        request,
        answerMs: Math.min(
          limits.answerMs + characters / CHARACTERS_PER_MS,
          Math.max(limits.answerMs, MAX_ANSWER_MS),
        ),
        starting: setTimeout(
          () => question.settle("unstarted"),
          characters > MUCH ? limits.startMs * 2 : limits.startMs,
        ),
        settle(verdict) {
          clearTimeout(question.starting);
          waiting.delete(question);
          resolve(verdict);
        },
      };
      waiting.add(question);
      askNext();
      return promise;
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      for (const { settle } of waiting) settle("unstarted");
      answered("unstarted");
      await thread?.worker.terminate();
    },
  };
}

/** The sources are run as they are; the published package has them compiled. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith(".ts") ? "./judge-worker.ts" : "./judge-worker.js",
  import.meta.url,
);

/** Enough for the largest payload; a request that needs more is not judged. */
const HEAP = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 192 };
