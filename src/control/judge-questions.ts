import type { PolicyRequest, Verdict } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";

/** `late`: it was at it for too long. `unstarted`: it could not begin, which says nothing about the request. */
export type ThreadVerdict = Verdict | "late" | "unstarted";

export interface Question {
  readonly policy: Policy;
  readonly request: PolicyRequest;
  /** How long the thread may take for it. */
  readonly answerMs: number;
  settle(verdict: ThreadVerdict): void;
}

/** Questions that wait for the thread. One that waits for too long is `unstarted`. */
export interface JudgeQuestions {
  add(policy: Policy, request: PolicyRequest, characters: number): Promise<ThreadVerdict>;
  isEmpty(): boolean;
  /** The one that waited longest; it waits no more. */
  next(): Question;
  giveUp(): void;
}

export interface QuestionLimits {
  readonly answerMs: number;
  readonly startMs: number;
}

/** Scanned for secrets in a millisecond, in the worst case. */
const CHARACTERS_PER_MS = 2_000;
/** Worth a longer wait for the thread. */
const MUCH = 100_000;
/** With the start still in time for the hook. */
const MAX_ANSWER_MS = 600;

export function createJudgeQuestions(limits: QuestionLimits): JudgeQuestions {
  const waiting = new Map<Question, NodeJS.Timeout>();
  const remove = (question: Question): void => {
    clearTimeout(waiting.get(question));
    waiting.delete(question);
  };
  return {
    add(policy, request, characters) {
      const { promise, resolve } = Promise.withResolvers<ThreadVerdict>();
      const { answerMs, startMs } = timesFor(characters, limits);
      const settle = (verdict: ThreadVerdict): void => {
        remove(question);
        resolve(verdict);
      };
      const question: Question = { policy, request, answerMs, settle };
      waiting.set(question, setTimeout(settle, startMs, "unstarted"));
      return promise;
    },
    isEmpty: () => waiting.size === 0,
    next() {
      const [question] = waiting.keys();
      remove(question!);
      return question!;
    },
    giveUp() {
      for (const question of waiting.keys()) question.settle("unstarted");
    },
  };
}

function timesFor(characters: number, limits: QuestionLimits): QuestionLimits {
  const answerMs = limits.answerMs + characters / CHARACTERS_PER_MS;
  return {
    answerMs: Math.min(answerMs, Math.max(limits.answerMs, MAX_ANSWER_MS)),
    startMs: characters > MUCH ? limits.startMs * 2 : limits.startMs,
  };
}
