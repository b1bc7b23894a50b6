import type { AgentId } from "../agents/hook-delivery.ts";
import type { AgentProcess } from "../agents/liveness-source.ts";
import { EVENT_VERSION, type HooklineEvent } from "../event/event.ts";
import { factId } from "../event/ids.ts";
import { IDLE_MS } from "./read-activity.ts";
import { lastMainAgentAt } from "./read-turns.ts";
import { lastClosedAt, openWaits } from "./read-waits.ts";
import { type Moment, readView } from "./reading.ts";
import type { SessionView } from "./session-view.ts";

/** An entry of an agent's own process list, and which agent's list it is. */
export type ListedProcess = AgentProcess & { readonly provider: AgentId; readonly attended: boolean | null };

/**
 * Compares the agent's own registry with the hook events: returns an event only if it adds something a person
 * must see. It is logged like any other, so that a state is always a function of events.
 */
export function decideEvidence(
  view: SessionView,
  entry: ListedProcess,
  moment: Moment,
): HooklineEvent | null {
  const { status, statusUpdatedAtMs } = entry;
  // A menu that the person opened is not a question from the agent.
  if (status === null || statusUpdatedAtMs === null || entry.waitingFor === "dialog open") return null;
  const event = statusEvent(view.sessionId, entry, view.cwd?.value ?? entry.cwd, view.project?.value ?? null);
  if (view.statuses.has(event.id)) return null;
  const at = event.occurredAtIso;
  const statusAgeMs = moment.nowMs - statusUpdatedAtMs;
  const { turn, end, runningProcess } = readView(view, moment);
  if (runningProcess?.attended === false) return null;
  const [oldestWait] = openWaits(view);
  if (oldestWait !== undefined) {
    // The dialog can be shown before the hook has written its file.
    const isItsDialog = status === "waiting" && at > lastClosedAt(view);
    // Confirms the wait once, or shows that it was answered: the next hook may come much later.
    return isItsDialog || at > oldestWait.at ? event : null;
  }
  if (status === "waiting") {
    const isNews = at > lastMainAgentAt(view) && at > lastClosedAt(view);
    return isNews && statusAgeMs >= HOOK_GRACE_MS ? event : null;
  }
  if (status === "idle")
    return turn !== null && at > turn.active.at && statusAgeMs >= HOOK_GRACE_MS ? event : null;
  if (turn === null) {
    const isNews = at > view.lastAt && at > (end?.at ?? "");
    return isNews && statusAgeMs >= 2 * HOOK_GRACE_MS ? event : null;
  }
  return busyAgainEvent(view, entry, moment);
}

/** How long to wait for a hook to report the same. */
const HOOK_GRACE_MS = 1_000;

/** A long response without hook events is not idle while the agent reports that it is busy. */
function busyAgainEvent(view: SessionView, entry: ListedProcess, moment: Moment): HooklineEvent | null {
  const lastStatusAt = [...view.statuses.values()].reduce((last, { at }) => (at > last ? at : last), "");
  const sinceStatusMs = lastStatusAt === "" ? moment.quietMs : moment.nowMs - Date.parse(lastStatusAt);
  if (Math.min(sinceStatusMs, moment.quietMs) < IDLE_MS - 60_000) return null;
  const statusUpdatedAtMs = moment.nowMs;
  return statusEvent(
    view.sessionId,
    { ...entry, statusUpdatedAtMs },
    view.cwd?.value ?? entry.cwd,
    view.project?.value ?? null,
  );
}

/** Converts a registry entry to an event. */
export function statusEvent(
  sessionId: string,
  entry: ListedProcess,
  cwd: string | null,
  projectPath: string | null,
): HooklineEvent {
  const occurredAtIso = new Date(entry.statusUpdatedAtMs ?? entry.startedAtMs ?? 0).toISOString();
  const phase = entry.status ?? "busy";
  return {
    v: EVENT_VERSION,
    id: factId("registry", sessionId, String(entry.pid), occurredAtIso, phase),
    eventType: "session.evidence",
    phase,
    occurredAtIso,
    sessionId,
    provider: entry.provider,
    projectPath,
    cwd,
    origin: "watch",
    pid: entry.pid,
    source: "registry",
    ...(entry.waitingFor !== null && { waitingFor: entry.waitingFor }),
    // A name derived from the folder says less than the first prompt.
    ...(entry.name !== null && entry.nameSource === "user" && { name: entry.name }),
    ...(entry.attended !== null && { attended: entry.attended }),
  };
}

/** The event for a process that disappeared without an end event. */
export function processGoneEvent(view: SessionView, pid: number, atIso: string): HooklineEvent {
  return {
    v: EVENT_VERSION,
    // One id per last event: a process found dead twice is gone once.
    id: factId("gone", view.sessionId, String(pid), view.processes.get(pid)?.last.at ?? ""),
    eventType: "session.evidence",
    phase: "gone",
    occurredAtIso: atIso,
    sessionId: view.sessionId,
    provider: view.provider,
    projectPath: view.project?.value ?? null,
    cwd: view.cwd?.value ?? null,
    origin: "watch",
    pid,
    source: "process",
  };
}
