import { leftAt } from "./read-turns.ts";
import type { Mark, SessionView, WaitView } from "./session-view.ts";
import { isAfter } from "./session-view.ts";

/** When a wait was over: at its own call, or with the turn, the subagent or the process that asked. Null while it lasts. */
export function closedAt(view: SessionView, wait: WaitView): string | null {
  if (wait.closedAt !== null) return wait.closedAt;
  if (wait.isDriven) return settledAt(view, wait);
  const ends = [
    callRan(wait),
    wait.agentId === null ? turnClosed(view, wait) : subagentClosed(view, wait),
    processClosed(view, wait),
    wait.origin === "stream" && wait.toolName === null ? streamClosed(view, wait) : null,
    statusClosed(view, wait),
  ].filter((at) => at !== null);
  return ends.length === 0 ? null : ends.reduce((first, at) => (at < first ? at : first));
}

/** What a driven session asks is told by its driver; its hooks tell of the same once more. */
export function waitsOf(view: SessionView): WaitView[] {
  const isDriven = view.driven !== null;
  return [...view.waits.values()].filter((wait) => wait.isDriven === isDriven);
}

function settledAt({ driven, settled }: SessionView, wait: WaitView): string | null {
  const at = settled.get(wait.call!.toolUseId);
  if (at !== undefined) return at;
  return driven?.state === "closed" && driven.at >= wait.at ? driven.at : null;
}

/** Waits that last, the oldest first. */
export function openWaits(view: SessionView): WaitView[] {
  return waitsOf(view)
    .filter((wait) => closedAt(view, wait) === null)
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1));
}

/** After this much more was heard, nothing within the order that events may come in changes a closed wait. */
const SETTLED_MS = 10_000;

/** Writes down when waits ended that ended a while ago, so that they are not worked out again for ever. */
export function settleWaits(view: SessionView): void {
  for (const wait of view.waits.values()) {
    if (wait.closedAt !== null) continue;
    const at = closedAt(view, wait);
    if (at !== null && Date.parse(view.lastAt) - Date.parse(at) > SETTLED_MS) {
      wait.closedAt = at;
      wait.input = undefined;
      wait.ends.clear();
      view.statuses.forEach((status, id) => {
        if (Date.parse(view.lastAt) - Date.parse(status.at) > 60 * SETTLED_MS) view.statuses.delete(id);
      });
    }
  }
}

export function waitedMs(view: SessionView): number {
  let total = 0;
  for (const wait of waitsOf(view)) {
    const at = closedAt(view, wait);
    if (at !== null) total += Math.max(0, Date.parse(at) - Date.parse(wait.at));
  }
  return total;
}

/** Its own call ran or was refused; where that is not known, the next such call to end after it. */
function callRan(wait: WaitView): string | null {
  const own = wait.call === null ? undefined : wait.ends.get(wait.call.toolUseId);
  const next =
    wait.call !== null
      ? []
      : [...wait.ends.values()]
          .filter(({ at, isSame }) => isSame && at >= wait.at)
          .sort((a, b) => (a.at < b.at ? -1 : 1));
  const end = own ?? next[0];
  if (end === undefined) return null;
  return [end.ranAt, end.at].find((at) => at > wait.at) ?? wait.at;
}

/** The main agent asks one turn at a time: the end of its turn, or another turn, ends the asking. */
function turnClosed(view: SessionView, wait: WaitView): string | null {
  let first: string | null = null;
  const consider = (mark: Mark | null): void => {
    if (mark === null || mark.at === "" || !isAfter(mark, wait)) return;
    const at = laterOf(mark.at, wait.at);
    if (first === null || at < first) first = at;
  };
  for (const turn of view.turns.values()) {
    consider(turn.end);
    if (turn.promptId !== wait.promptId) consider(turn.start);
  }
  return first;
}

function subagentClosed(view: SessionView, wait: WaitView): string | null {
  const stopped = view.subagents.get(wait.agentId!)?.stoppedAt ?? null;
  return stopped !== null && stopped >= wait.at ? stopped : null;
}

function processClosed(view: SessionView, wait: WaitView): string | null {
  if (wait.pid === null) return null;
  const process = view.processes.get(wait.pid);
  if (process === undefined) return null;
  const end = process.end ?? process.gone;
  const at = end !== null && !isAfter(wait, end) ? end.at : leftAt(view, process);
  return at === null ? null : laterOf(at, wait.at);
}

/** Another program tells only that it waits, not for what: whatever it tells next ends that. */
function streamClosed(view: SessionView, wait: WaitView): string | null {
  const next: (Mark | null)[] = [];
  for (const { start, end } of view.processes.values()) next.push(start, end);
  for (const { active } of view.turns.values()) next.push(active.at === "" ? null : active);
  for (const other of view.waits.values()) if (other !== wait) next.push(other);
  const after = next.filter((mark) => mark !== null && isAfter(mark, wait)).map((mark) => mark!.at);
  for (const { startAt, endAt } of view.skills.values())
    for (const at of [startAt, endAt]) if (at !== null && at > wait.at) after.push(at);
  return after.length === 0 ? null : after.reduce((first, at) => (at < first ? at : first));
}

function laterOf(a: string, b: string): string {
  return a > b ? a : b;
}

/** The agent's own registry no longer says that it waits; a later "waiting" takes that back. */
function statusClosed(view: SessionView, wait: WaitView): string | null {
  const after = [...view.statuses.values()]
    .filter((status) => status.at > wait.at)
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  if (after.length === 0 || after.at(-1)!.status === "waiting") return null;
  const lastWaiting = after.findLastIndex((status) => status.status === "waiting");
  return after[lastWaiting + 1]!.at;
}
