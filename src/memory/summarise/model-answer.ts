/** The result of one call by either method. `message` is for the user. */
export type ModelAnswer =
  | {
      readonly type: "answered";
      readonly text: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly model: string;
    }
  | { readonly type: "rate_limited"; readonly retryAtMs: number; readonly message: string }
  /** No login, an invalid key, or no credit. */
  | { readonly type: "auth_failed"; readonly message: string }
  /** Busy or unreachable: not the request's fault. */
  | { readonly type: "overloaded"; readonly message: string }
  /** Not possible in this setup: no SDK, no such model. */
  | { readonly type: "unavailable"; readonly message: string }
  | { readonly type: "failed"; readonly message: string };

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly text: string;
}

export type ModelCall = (request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>;

/** More than any usable answer. */
export const MAX_OUTPUT_TOKENS = 4_096;
/** For a refusal without a retry time. */
export const DEFAULT_RETRY_MS = 5 * 60_000;

/** By HTTP status; null when there was no response. */
export function toErrorAnswer(status: number | null, message: string, retryAtMs: number): ModelAnswer {
  if (status === 429) return { type: "rate_limited", retryAtMs, message };
  if (status === 401 || status === 403 || /credit balance|billing/i.test(message))
    return { type: "auth_failed", message };
  if (status === 404) return { type: "unavailable", message };
  if (status === null || status >= 500) return { type: "overloaded", message };
  return { type: "failed", message };
}
