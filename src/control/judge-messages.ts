import type { PolicyRequest, Verdict } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";

/** A question to the judging thread, one at a time. */
export interface JudgeRequest {
  readonly id: number;
  readonly policy: Policy;
  readonly request: PolicyRequest;
}

/** `ready` once, when it accepts questions; then one answer per question. */
export type JudgeWorkerMessage = "ready" | { readonly id: number; readonly verdict: Verdict };

export interface JudgeWorkerData {
  readonly home: string;
}
