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
export function applyToTurn(turn: TurnProgress, envelope: Envelope): TurnProgress {
  if (turn.end !== null) return turn;
  if (envelope.type === "result") return { ...turn, result: envelope };
  if (envelope.type === "error") return { ...turn, error: `${envelope.message} (${envelope.code})` };
  if (envelope.type !== "state") return turn;
  if (envelope.state === "idle" && turn.result !== null) return { ...turn, end: toTurnEnd(turn.result) };
  if (envelope.state === "closed") {
    const why = turn.error ?? envelope.why ?? "it was closed";
    const ended = turn.result === null ? null : toTurnEnd(turn.result);
    return { ...turn, end: ended ?? { type: "failed", code: "session_closed", message: why } };
  }
  return turn;
}

function toTurnEnd(result: Envelope & { readonly type: "result" }): TurnEnd {
  if (result.outcome === "completed") return { type: "completed" };
  return { type: "failed", code: result.outcome, message: resultText(result) };
}
