/** What became of one call, whichever way it went. `message` is for a person. */
export type ModelAnswer =
  | {
      readonly type: "answered";
      readonly text: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly model: string;
    }
  | { readonly type: "rate_limited"; readonly retryAtMs: number; readonly message: string }
  /** No login, a refused key, no credit. */
  | { readonly type: "auth_failed"; readonly message: string }
  /** Too busy, or not to be reached: the request was as good as any. */
  | { readonly type: "overloaded"; readonly message: string }
  /** Nobody can be asked as things are: no SDK, no such model. */
  | { readonly type: "unavailable"; readonly message: string }
  | { readonly type: "failed"; readonly message: string };

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly text: string;
}

export type AskModel = (request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>;

/** More than any answer we can use. */
export const MOST_OUTPUT_TOKENS = 4_096;
/** After a refusal that does not say until when. */
export const UNTOLD_LIMIT_MS = 5 * 60_000;

/** By the status of the HTTP answer; null when there was none. */
export function toRefusal(status: number | null, message: string, retryAtMs: number): ModelAnswer {
  if (status === 429) return { type: "rate_limited", retryAtMs, message };
  if (status === 401 || status === 403 || /credit balance|billing/i.test(message))
    return { type: "auth_failed", message };
  if (status === 404) return { type: "unavailable", message };
  if (status === null || status >= 500) return { type: "overloaded", message };
  return { type: "failed", message };
}
