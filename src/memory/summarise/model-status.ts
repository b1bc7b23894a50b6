/** The state of model calls, for `hookline status`. */
export type StoppedBy = "budget" | "rate_limit" | "auth" | "overload" | "unavailable";

export interface ModelStatus {
  readonly model: string | null;
  readonly waiting: number;
  readonly givenUp: number;
  readonly todayTokens: number;
  readonly budget: number;
  readonly stoppedBy: StoppedBy | null;
  /** Since when it is stopped. */
  readonly sinceIso: string | null;
  readonly untilIso: string | null;
  /** Of the last failed call, until one succeeds. */
  readonly lastError: string | null;
}

export function disabledStatus(budget: number): ModelStatus {
  return {
    model: null,
    waiting: 0,
    givenUp: 0,
    todayTokens: 0,
    budget,
    stoppedBy: null,
    sinceIso: null,
    untilIso: null,
    lastError: null,
  };
}
