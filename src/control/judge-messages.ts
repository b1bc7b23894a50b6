import type { PolicyRequest, Verdict } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";

/** What the judging thread is asked, one question at a time. */
export interface JudgeQuestion {
  readonly id: number;
  readonly policy: Policy;
  readonly request: PolicyRequest;
}

/** `ready` once, when it can be asked; then an answer to each question. */
export type FromJudgeWorker = "ready" | { readonly id: number; readonly verdict: Verdict };

export interface JudgeWorkerData {
  readonly home: string;
}
