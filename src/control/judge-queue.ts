import type { PolicyRequest, Verdict } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";

/** `late`: it took too long. `unstarted`: it could not start, which says nothing about the request. */
export type ThreadVerdict = Verdict | "late" | "unstarted";

export interface JudgeJob {
  readonly policy: Policy;
  readonly request: PolicyRequest;
  /** How long the thread may take for it. */
  readonly answerMs: number;
  settle(verdict: ThreadVerdict): void;
}

/** Questions that wait for the thread. One that waits too long is `unstarted`. */
export interface JudgeQueue {
  add(policy: Policy, request: PolicyRequest, characters: number): Promise<ThreadVerdict>;
  isEmpty(): boolean;
  /** Removes and returns the oldest question. */
  next(): JudgeJob;
  abandonAll(): void;
}

export interface JudgeLimits {
  readonly answerMs: number;
  readonly startMs: number;
}

/** How many characters are scanned for secrets per millisecond, in the worst case. */
const CHARACTERS_PER_MS = 2_000;
/** Inputs above this size may wait longer for the thread. */
const LARGE_INPUT_CHARACTERS = 100_000;
/** The upper limit: together with the thread's start, still in time for the hook. */
const MAX_ANSWER_MS = 600;

export function createJudgeQueue(limits: JudgeLimits): JudgeQueue {
  const waiting = new Map<JudgeJob, NodeJS.Timeout>();
  const remove = (job: JudgeJob): void => {
    clearTimeout(waiting.get(job));
    waiting.delete(job);
  };
  return {
    add(policy, request, characters) {
      const { promise, resolve } = Promise.withResolvers<ThreadVerdict>();
      const { answerMs, startMs } = limitsFor(characters, limits);
      const settle = (verdict: ThreadVerdict): void => {
        remove(job);
        resolve(verdict);
      };
      const job: JudgeJob = { policy, request, answerMs, settle };
      waiting.set(job, setTimeout(settle, startMs, "unstarted"));
      return promise;
    },
    isEmpty: () => waiting.size === 0,
    next() {
      const [job] = waiting.keys();
      remove(job!);
      return job!;
    },
    abandonAll() {
      for (const job of waiting.keys()) job.settle("unstarted");
    },
  };
}

function limitsFor(characters: number, limits: JudgeLimits): JudgeLimits {
  const answerMs = limits.answerMs + characters / CHARACTERS_PER_MS;
  return {
    answerMs: Math.min(answerMs, Math.max(limits.answerMs, MAX_ANSWER_MS)),
    startMs: characters > LARGE_INPUT_CHARACTERS ? limits.startMs * 2 : limits.startMs,
  };
}
