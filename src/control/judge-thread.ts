import type { Worker } from "node:worker_threads";
import type { PolicyRequest } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";
import type { FromJudgeWorker } from "./judge-messages.ts";
import { createJudgeQuestions, type Question, type ThreadVerdict } from "./judge-questions.ts";
import { createReplaceableThread } from "./replaceable-thread.ts";

/** Judges in a thread that starts with the first question and is replaced when it does not answer in time. */
export interface JudgeThread {
  judge(policy: Policy, request: PolicyRequest, characters?: number): Promise<ThreadVerdict>;
  close(): Promise<void>;
}

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

/** The one question that the thread has. */
interface Asked {
  readonly id: number;
  readonly question: Question;
  readonly timer: NodeJS.Timeout;
}

export function openJudgeThread(options: JudgeThreadOptions): JudgeThread {
  const limits = { ...LIMITS, ...options.limits };
  const { home, file = WORKER_FILE } = options;
  const questions = createJudgeQuestions(limits);
  const thread = createReplaceableThread({ home, file, onMessage, onEnd });
  let asked: Asked | null = null;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  function onMessage(message: FromJudgeWorker): void {
    if (message !== "ready" && asked?.id === message.id) answered(message.verdict);
    askNext();
  }

  /** What is asked of a thread that ended has no verdict; what waits is asked of the next one. */
  function onEnd(wasReady: boolean): void {
    answered("late");
    if (wasReady) askNext();
    // One that cannot even start is not started again and again.
    else questions.giveUp();
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

  function ask(worker: Pick<Worker, "postMessage">, question: Question): void {
    const id = ++lastId;
    const timer = setTimeout(() => {
      // The answer may be there already, behind whatever kept this thread busy.
      setImmediate(() => {
        if (asked?.id === id) thread.drop();
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
      questions.giveUp();
      answered("unstarted");
      await thread.close();
    },
  };
}

/** The sources are run as they are; the published package has them compiled. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith(".ts") ? "./judge-worker.ts" : "./judge-worker.js",
  import.meta.url,
);
