import type { Mark, ProcessView, SessionView, TurnView } from "./session-view.ts";
import { isAfter } from "./session-view.ts";

export function isOver(turn: TurnView): boolean {
  return turn.end !== null && (turn.active.at === "" || !isAfter(turn.active, turn.end));
}

/** The turn that the main agent works on: one that has not ended, with nothing of another turn after it. */
export function openTurn(view: SessionView): TurnView | null {
  let open: TurnView | null = null;
  for (const turn of view.turns.values()) {
    if (turn.active.at === "" || isOver(turn) || isSuperseded(view, turn) || isLaidDown(view, turn)) continue;
    if (open === null || isAfter(turn.active, open.active)) open = turn;
  }
  return open;
}

/** The newest end of a turn. */
export function lastEnd(view: SessionView): TurnView["end"] {
  let last: TurnView["end"] = null;
  for (const { end } of view.turns.values())
    if (end !== null && (last === null || isAfter(end, last))) last = end;
  return last;
}

/** When the main agent last did something. What its subagents do, and what is only noted, does not count. */
export function lastMainAt(view: SessionView): string {
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

/** The process that runs the session now; else null. Without any process known, the session is somebody's word. */
export function livingProcess(view: SessionView): ProcessView | null {
  let living: ProcessView | null = null;
  for (const process of view.processes.values()) {
    if (endOf(process) !== null || leftAt(view, process) !== null) continue;
    if (living === null || process.firstAt > living.firstAt) living = process;
  }
  return living;
}

/** How a process ended, unless it began again after that. */
export function endOf(
  process: ProcessView,
): (Mark & { kind: "ended" | "gone"; reason: string | null }) | null {
  const began = process.start;
  const holds = (mark: Mark | null): boolean => mark !== null && (began === null || !isAfter(began, mark));
  if (holds(process.end)) return { ...process.end!, kind: "ended" };
  // One that is heard of again only seemed to be gone: it runs where this machine does not see it.
  if (holds(process.gone) && !isAfter(process.last, process.gone!))
    return { ...process.gone!, kind: "gone", reason: null };
  return null;
}

/** The session began again in another process, and of this one nothing was heard since: it went unseen. */
export function leftAt(view: SessionView, process: ProcessView): string | null {
  for (const other of view.processes.values())
    if (other !== process && other.start !== null && isAfter(other.start, process.last))
      return other.start.at;
  return null;
}

/** Another turn came after it, or the session began again: a process that ends in a turn does not tell its end. */
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

/** The agent's registry says that it is idle: the turn was stopped in a way of which no hook tells. */
function isLaidDown(view: SessionView, turn: TurnView): boolean {
  for (const status of view.statuses.values())
    if (status.status === "idle" && status.at > turn.active.at) return true;
  return false;
}
