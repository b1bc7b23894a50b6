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

/** Scanned for secrets per millisecond, in the worst case. */
const CHARACTERS_PER_MS = 2_000;
/** Worth a longer wait for the thread. */
const LARGE_CHARACTERS = 100_000;
/** Together with the thread's start, still in time for the hook. */
const MAX_ANSWER_MS = 600;

export function createJudgeQueue(limits: JudgeLimits): JudgeQueue {
  const waiting = new Map<JudgeJob, NodeJS.Timeout>();
  const remove = (question: JudgeJob): void => {
    clearTimeout(waiting.get(question));
    waiting.delete(question);
  };
  return {
    add(policy, request, characters) {
      const { promise, resolve } = Promise.withResolvers<ThreadVerdict>();
      const { answerMs, startMs } = limitsFor(characters, limits);
      const settle = (verdict: ThreadVerdict): void => {
        remove(question);
        resolve(verdict);
      };
      const question: JudgeJob = { policy, request, answerMs, settle };
      waiting.set(question, setTimeout(settle, startMs, "unstarted"));
      return promise;
    },
    isEmpty: () => waiting.size === 0,
    next() {
      const [question] = waiting.keys();
      remove(question!);
      return question!;
    },
    abandonAll() {
      for (const question of waiting.keys()) question.settle("unstarted");
    },
  };
}

function limitsFor(characters: number, limits: JudgeLimits): JudgeLimits {
  const answerMs = limits.answerMs + characters / CHARACTERS_PER_MS;
  return {
    answerMs: Math.min(answerMs, Math.max(limits.answerMs, MAX_ANSWER_MS)),
    startMs: characters > LARGE_CHARACTERS ? limits.startMs * 2 : limits.startMs,
  };
}
