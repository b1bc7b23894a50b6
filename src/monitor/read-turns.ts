import type { EventTime, ProcessView, SessionView, TurnView } from "./session-view.ts";
import { isAfter } from "./session-view.ts";

export function hasTurnEnded(turn: TurnView): boolean {
  return turn.end !== null && (turn.active.at === "" || !isAfter(turn.active, turn.end));
}

/** The main agent's current turn: one that has not ended, with no activity of another turn after it. */
export function openTurn(view: SessionView): TurnView | null {
  let open: TurnView | null = null;
  for (const turn of view.turns.values()) {
    if (
      turn.active.at === "" ||
      hasTurnEnded(turn) ||
      isSuperseded(view, turn) ||
      isIdleInRegistry(view, turn)
    )
      continue;
    if (open === null || isAfter(turn.active, open.active)) open = turn;
  }
  return open;
}

/** The newest end of a turn. */
export function lastTurnEnd(view: SessionView): TurnView["end"] {
  let last: TurnView["end"] = null;
  for (const { end } of view.turns.values())
    if (end !== null && (last === null || isAfter(end, last))) last = end;
  return last;
}

/** When the main agent was last active. Subagents and mere notifications do not count. */
export function lastMainAgentAt(view: SessionView): string {
  let last = "";
  const consider = (at: string | undefined): void => {
    if (at !== undefined && at > last) last = at;
  };
  for (const { start, active, end } of view.turns.values()) {
    consider(start?.at);
    consider(active.at);
    consider(end?.at);
  }
  for (const { agentId, at } of view.recentEnds) if (agentId === null) consider(at);
  return last;
}

/** The process that runs the session now, or null. */
export function runningProcess(view: SessionView): ProcessView | null {
  let running: ProcessView | null = null;
  for (const process of view.processes.values()) {
    if (processEndOf(process) !== null || replacedAt(view, process) !== null) continue;
    if (running === null || process.firstAt > running.firstAt) running = process;
  }
  return running;
}

/** How a process ended, unless it started again after that. */
export function processEndOf(
  process: ProcessView,
): (EventTime & { kind: "ended" | "gone"; reason: string | null }) | null {
  const start = process.start;
  const isStillValid = (time: EventTime | null): boolean =>
    time !== null && (start === null || !isAfter(start, time));
  if (isStillValid(process.end)) return { ...process.end!, kind: "ended" };
  // A process with later events only seemed gone: it runs where this machine cannot see it.
  if (isStillValid(process.gone) && !isAfter(process.last, process.gone!))
    return { ...process.gone!, kind: "gone", reason: null };
  return null;
}

/** The session restarted in another process without later events from this one: its end went unseen. */
export function replacedAt(view: SessionView, process: ProcessView): string | null {
  for (const other of view.processes.values())
    if (other !== process && other.start !== null && isAfter(other.start, process.last))
      return other.start.at;
  return null;
}

/** Another turn followed, or the session restarted: a process that ends during a turn reports no turn end. */
function isSuperseded(view: SessionView, turn: TurnView): boolean {
  for (const { start } of view.processes.values())
    if (start !== null && isAfter(start, turn.active)) return true;
  for (const other of view.turns.values()) {
    if (other === turn) continue;
    if (other.start !== null && isAfter(other.start, turn.active)) return true;
    if (other.end !== null && isAfter(other.end, turn.active)) return true;
  }
  return false;
}

/** The agent's registry says it is idle: the turn was stopped in a way that no hook reports. */
function isIdleInRegistry(view: SessionView, turn: TurnView): boolean {
  for (const status of view.statuses.values())
    if (status.status === "idle" && status.at > turn.active.at) return true;
  return false;
}
