import type { Envelope } from "../control/envelope.ts";
import { resultText } from "./envelope-lines.ts";

/** The progress of the started turn. */
export interface TurnProgress {
  readonly result: (Envelope & { readonly type: "result" }) | null;
  readonly error: string | null;
  readonly end: TurnEnd | null;
}

export type TurnEnd =
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly code: string; readonly message: string };

export const NEW_TURN: TurnProgress = { result: null, error: null, end: null };

/**
 * A turn ends when the session is idle after a result, not with the result itself: background work may
 * produce another one. Pure.
 */
export function applyToTurn(watch: TurnProgress, envelope: Envelope): TurnProgress {
  if (watch.end !== null) return watch;
  if (envelope.type === "result") return { ...watch, result: envelope };
  if (envelope.type === "error") return { ...watch, error: `${envelope.message} (${envelope.code})` };
  if (envelope.type !== "state") return watch;
  if (envelope.state === "idle" && watch.result !== null) return { ...watch, end: toTurnEnd(watch.result) };
  if (envelope.state === "closed") {
    const why = watch.error ?? envelope.why ?? "it was closed";
    const ended = watch.result === null ? null : toTurnEnd(watch.result);
    return { ...watch, end: ended ?? { type: "failed", code: "session_closed", message: why } };
  }
  return watch;
}

function toTurnEnd(result: Envelope & { readonly type: "result" }): TurnEnd {
  if (result.outcome === "completed") return { type: "completed" };
  return { type: "failed", code: result.outcome, message: resultText(result) };
}
