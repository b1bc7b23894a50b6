/** How the asking of a model goes, for `hookline status`. */
export type StoppedBy = "budget" | "rate_limit" | "auth" | "overload" | "unavailable";

export interface ModelStatus {
  readonly model: string | null;
  readonly waiting: number;
  readonly givenUp: number;
  readonly todayTokens: number;
  readonly budget: number;
  readonly stoppedBy: StoppedBy | null;
  /** Since when it stands still. */
  readonly sinceIso: string | null;
  readonly untilIso: string | null;
  /** Of the last call that failed, until one succeeds. */
  readonly lastError: string | null;
}

export function offStatus(budget: number): ModelStatus {
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
