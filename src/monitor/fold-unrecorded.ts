import { redactEvent } from "../capture/redact-event.ts";
import { type HooklineEvent, isControlEvent } from "../event/event.ts";
import { foldControl } from "./fold-control.ts";
import { matchesCall } from "./fold-wait.ts";
import { closedAt, openWaits } from "./read-waits.ts";
import type { SessionView, StatusView, WaitView } from "./session-view.ts";

/** How recorded requests ended while recording was off: only ids and times, no content. */
export interface UnrecordedEnds {
  readonly ended: Map<string, string>;
  /** The last status from the agent's registry. */
  status: (StatusView & { readonly id: string }) | null;
}

/**
 * Ends requests by an event that must not be recorded. Nothing else of the event enters the view: an answered
 * request no longer waits, also during a pause.
 */
export function foldUnrecorded(view: SessionView, event: HooklineEvent, ends: UnrecordedEnds): void {
  const open = openWaits(view);
  ends.status = statusOf(event) ?? ends.status;
  if (isControlEvent(event)) {
    if (SETTLED_PHASE.test(event.phase ?? "")) foldControl(view, event);
  } else for (const id of waitsEndedBy(open, event)) endRequest(view, id, event.occurredAtIso);
  applyUnrecordedEnds(view, { ended: new Map(), status: ends.status });
  for (const wait of open) {
    const at = closedAt(view, wait);
    if (at !== null) ends.ended.set(wait.id, at);
  }
}

/** Applies the ends to a view rebuilt from recorded events. */
export function applyUnrecordedEnds(view: SessionView, { ended, status }: UnrecordedEnds): void {
  for (const [id, at] of ended) endRequest(view, id, at);
  if (status === null) return;
  const { id, ...registryStatus } = status;
  view.statuses.set(id, registryStatus);
}

const SETTLED_PHASE = /^(settled|state|(permission|question)\.resolved)$/;

function endRequest(view: SessionView, id: string, at: string): void {
  const wait = view.waits.get(id);
  if (wait === undefined) return;
  if (wait.drivenId !== null) view.settledRequests.set(wait.drivenId, at);
  else {
    const hold = view.holds.get(id) ?? { isBlocking: false, answeredAt: null, endedAt: null };
    view.holds.set(id, { ...hold, answeredAt: hold.answeredAt ?? at, endedAt: hold.endedAt ?? at });
  }
}

function statusOf(event: HooklineEvent): UnrecordedEnds["status"] {
  const { id, eventType, phase, occurredAtIso: at } = event;
  if (eventType !== "session.evidence" || (phase !== "busy" && phase !== "idle" && phase !== "waiting"))
    return null;
  const pid = typeof event["pid"] === "number" ? event["pid"] : null;
  return { id, status: phase, waitingFor: null, at, pid };
}

function waitsEndedBy(open: readonly WaitView[], event: HooklineEvent): string[] {
  const openBefore = open.filter(({ at, drivenId }) => drivenId === null && at <= event.occurredAtIso);
  const ids = (waits: readonly WaitView[]): string[] => waits.map(({ id }) => id);
  const fromSameAgent = openBefore.filter(({ agentId }) => agentId === (event.agentId ?? null));
  switch (event.eventType) {
    case "tool_observation":
      return ids(sameCall(fromSameAgent, event, event.payload?.toolName ?? null, event.payload?.toolInput));
    case "permission":
      if (event.phase !== "denied") return [];
      return ids(sameCall(fromSameAgent, event, event["toolName"], event["toolInput"]));
    case "turn.start":
    case "turn.end":
    case "turn.failed":
      return event.agentId == null ? ids(fromSameAgent) : [];
    case "agent.event":
      return event["name"] === "interrupted" ? ids(fromSameAgent) : [];
    case "subagent.lifecycle":
      return event.agentId != null && event.phase === "stopped" ? ids(fromSameAgent) : [];
    case "session.lifecycle":
      return event.phase === "ended" ? ids(openBefore) : [];
    case "session.evidence":
      return event.phase === "gone" ? ids(openBefore.filter(({ pid }) => pid === event["pid"])) : [];
    default:
      return [];
  }
}

/** The oldest of equal requests. Requests are recorded redacted, so the call is redacted before comparing. */
function sameCall(
  waits: readonly WaitView[],
  event: HooklineEvent,
  toolName: unknown,
  toolInput: unknown,
): WaitView[] {
  if (waits.length === 0 || typeof toolName !== "string") return [];
  const { payload } = redactEvent({ payload: { toolName, toolInput } } as unknown as HooklineEvent);
  const call = { toolName, agentId: event.agentId ?? null, input: payload?.toolInput };
  return waits.filter((wait) => matchesCall(wait, call)).slice(0, 1);
}
