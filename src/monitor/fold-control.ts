import { DRIVEN_QUESTION_TOOL, requestKindOf } from "../agents/tool-call.ts";
import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { nonEmptyString } from "./event-fields.ts";
import { addWait } from "./fold-wait.ts";
import type { SessionView } from "./session-view.ts";

/**
 * Folds control events: that a session is driven and which of its requests are pending; and for requests of a
 * terminal, whether they were held and answered. Hooks report everything else a session does.
 */
export function foldControl(view: SessionView, event: HooklineEvent): void {
  if (event.eventType === "control.card") foldHold(view, event);
  const { envelope } = event;
  if (event.eventType !== "control.envelope" || !isPlainObject(envelope)) return;
  const at = event.occurredAtIso;
  const { seq, toolUseId, requestId = toolUseId } = envelope;
  switch (event.phase) {
    case "state": {
      const state = nonEmptyString(envelope["state"]);
      if (state === null || typeof seq !== "number" || seq < (view.driven?.seq ?? 0)) return;
      view.driven = { seq, state, at };
      return;
    }
    case "permission.request":
    case "question.request": {
      if (typeof toolUseId !== "string" || typeof requestId !== "string") return;
      const isQuestion = event.phase === "question.request";
      const tool = isQuestion ? DRIVEN_QUESTION_TOOL : nonEmptyString(envelope["tool"]);
      const kind = isQuestion ? "question" : requestKindOf({ toolName: tool });
      const input = isQuestion ? { questions: envelope["questions"] } : envelope["input"];
      const agentId = nonEmptyString(envelope["agentId"]);
      addWait(view, { ...event, toolName: tool, agentId, pid: null }, kind, input);
      const wait = view.waits.get(event.id)!;
      wait.call = { toolUseId, at };
      wait.drivenId = requestId;
      return;
    }
    case "permission.resolved":
    case "question.resolved":
      if (typeof requestId !== "string") return;
      view.settledRequests.set(requestId, at);
      if (envelope["outcome"] === "lost" && typeof seq === "number")
        view.lostRequests.set(requestId, { seq, at });
      return;
    case "mode":
      foldMode(view, envelope);
      if (typeof seq === "number") view.resumedSeq = Math.max(view.resumedSeq, seq);
      return;
    case "user":
      if (typeof seq === "number") view.resumedSeq = Math.max(view.resumedSeq, seq);
  }
}

function foldMode(view: SessionView, envelope: Readonly<Record<string, unknown>>): void {
  const { seq } = envelope;
  const mode = nonEmptyString(envelope["mode"]);
  if (mode === null || typeof seq !== "number" || seq < (view.drivenMode?.seq ?? 0)) return;
  view.drivenMode = { seq, mode };
}

const FOLDED_PHASES: ReadonlySet<string> = new Set([
  ...["state", "permission.request", "question.request", "permission.resolved", "question.resolved"],
  ...["user", "mode"],
]);

/** Whether an envelope of this phase changes the session's view; the others need not be applied. */
export function isFoldedPhase(phase: string | null | undefined): boolean {
  return FOLDED_PHASES.has(phase ?? "");
}

/** Released without an answer: the terminal shows its own dialog now, or soon will. */
const RELEASED: ReadonlySet<unknown> = new Set(["timeout", "cancelled", "stopped"]);

function foldHold(view: SessionView, event: HooklineEvent): void {
  const { card, occurredAtIso: at } = event;
  if (!isPlainObject(card) || typeof card["cardId"] !== "string") return;
  const id = card["cardId"];
  const hold = view.holds.get(id) ?? { isBlocking: false, answeredAt: null, endedAt: null };
  view.holds.set(id, hold);
  if (event.phase === "asked") hold.isBlocking = card["blocking"] === true;
  if (event.phase !== "settled") return;
  hold.endedAt = at;
  if (!RELEASED.has(card["by"])) hold.answeredAt = at;
}
