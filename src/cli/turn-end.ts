import type { Envelope } from "../control/envelope.ts";
import { resultText } from "./envelope-lines.ts";

/** How far the turn that was started has got. */
export interface TurnWatch {
  readonly result: (Envelope & { readonly type: "result" }) | null;
  readonly error: string | null;
  readonly over: TurnEnd | null;
}

export type TurnEnd =
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly code: string; readonly message: string };

export const TURN_BEGINS: TurnWatch = { result: null, error: null, over: null };

/**
 * A turn is over when the session is idle after a result, not with the result: work in the background may bring
 * another one. Pure.
 */
export function watchTurn(watch: TurnWatch, envelope: Envelope): TurnWatch {
  if (watch.over !== null) return watch;
  if (envelope.type === "result") return { ...watch, result: envelope };
  if (envelope.type === "error") return { ...watch, error: `${envelope.message} (${envelope.code})` };
  if (envelope.type !== "state") return watch;
  if (envelope.state === "idle" && watch.result !== null) return { ...watch, over: endOf(watch.result) };
  if (envelope.state === "closed") {
    const why = watch.error ?? envelope.why ?? "it was closed";
    const ended = watch.result === null ? null : endOf(watch.result);
    return { ...watch, over: ended ?? { type: "failed", code: "session_closed", message: why } };
  }
  return watch;
}

function endOf(result: Envelope & { readonly type: "result" }): TurnEnd {
  if (result.outcome === "completed") return { type: "completed" };
  return { type: "failed", code: result.outcome, message: resultText(result) };
}
