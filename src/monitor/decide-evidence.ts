import type { AgentId } from "../agents/hook-delivery.ts";
import type { AgentProcess } from "../agents/liveness-source.ts";
import { EVENT_VERSION, type HooklineEvent } from "../event/event.ts";
import { factId } from "../event/ids.ts";
import { IDLE_MS } from "./read-standing.ts";
import { lastMainAt } from "./read-turns.ts";
import { lastClosedAt, openWaits } from "./read-waits.ts";
import { type Moment, readView } from "./reading.ts";
import type { SessionView } from "./session-view.ts";

/** What an agent's own list says, and whose list it is. */
export type Evidence = AgentProcess & { readonly provider: AgentId; readonly attended: boolean | null };

/**
 * The agent's own registry beside what hooks told: an event when it adds something that a person must see, and only
 * then. It goes into the log like any other, so that a state is always a function of events.
 */
export function decideEvidence(view: SessionView, entry: Evidence, moment: Moment): HooklineEvent | null {
  const { status, statusUpdatedAtMs } = entry;
  // A menu that the person opened is no question of the agent's.
  if (status === null || statusUpdatedAtMs === null || entry.waitingFor === "dialog open") return null;
  const event = statusEvent(view.sessionId, entry, view.cwd?.value ?? entry.cwd, view.project?.value ?? null);
  if (view.statuses.has(event.id)) return null;
  const at = event.occurredAtIso;
  const lastsMs = moment.nowMs - statusUpdatedAtMs;
  const { turn, end, living } = readView(view, moment);
  if (living?.attended === false) return null;
  const [oldestWait] = openWaits(view);
  if (oldestWait !== undefined) {
    // Agreeing once, or telling that somebody answered: the tool may run long before a hook tells.
    return at > oldestWait.at ? event : null;
  }
  if (status === "waiting") {
    const isNews = at > lastMainAt(view) && at > lastClosedAt(view);
    return isNews && lastsMs >= TOLD_MS ? event : null;
  }
  if (status === "idle") return turn !== null && at > turn.active.at && lastsMs >= TOLD_MS ? event : null;
  if (turn === null) {
    const isNews = at > view.lastAt && at > (end?.at ?? "");
    return isNews && lastsMs >= 2 * TOLD_MS ? event : null;
  }
  return stillBusy(view, entry, moment);
}

/** How long a hook gets to tell the same. */
const TOLD_MS = 1_000;

/** A long answer without a word from hooks is not idleness, while the agent says that it works. */
function stillBusy(view: SessionView, entry: Evidence, moment: Moment): HooklineEvent | null {
  const said = [...view.statuses.values()].reduce((last, { at }) => (at > last ? at : last), "");
  const saidMs = said === "" ? moment.quietMs : moment.nowMs - Date.parse(said);
  if (Math.min(saidMs, moment.quietMs) < IDLE_MS - 60_000) return null;
  const statusUpdatedAtMs = moment.nowMs;
  return statusEvent(
    view.sessionId,
    { ...entry, statusUpdatedAtMs },
    view.cwd?.value ?? entry.cwd,
    view.project?.value ?? null,
  );
}

/** What a registry entry says, as an event. */
export function statusEvent(
  sessionId: string,
  entry: Evidence,
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
    // A name that the agent made of the folder's says less than the first prompt.
    ...(entry.name !== null && entry.nameSource === "user" && { name: entry.name }),
    ...(entry.attended !== null && { attended: entry.attended }),
  };
}

/** A process that went away without a word. */
export function goneEvent(view: SessionView, pid: number, atIso: string): HooklineEvent {
  return {
    v: EVENT_VERSION,
    // One end per last word: a process that is found dead twice is gone once.
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
