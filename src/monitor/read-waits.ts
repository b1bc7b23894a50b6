import { mergeWaits, type WaitTime } from "./merge-waits.ts";
import { dialogClosed } from "./read-dialogs.ts";
import { leftAt } from "./read-turns.ts";
import type { Mark, SessionView, WaitEnd, WaitView } from "./session-view.ts";
import { isAfter } from "./session-view.ts";

/** When a request was over: answered, run or refused, or gone with its turn, subagent or process. Null while it waits. */
export function closedAt(view: SessionView, wait: WaitView): string | null {
  if (wait.closedAt !== null) return wait.closedAt;
  if (wait.drivenId !== null) return settledAt(view, wait, wait.drivenId);
  return earliest([answeredAt(view, wait), callRan(view, wait), askerClosed(view, wait)]);
}

/** What a driven session asks is told by its driver; its hooks tell of the same once more. */
export function waitsOf(view: SessionView): WaitView[] {
  const isDriven = view.driven !== null;
  return [...view.waits.values()].filter((wait) => (wait.drivenId !== null) === isDriven);
}

function settledAt({ driven, settled }: SessionView, wait: WaitView, requestId: string): string | null {
  const at = settled.get(requestId);
  if (at !== undefined) return at;
  return driven?.state === "closed" && driven.at >= wait.at ? driven.at : null;
}

/** Waits that last, the oldest first. */
export function openWaits(view: SessionView): WaitView[] {
  return waitsOf(view)
    .filter((wait) => closedAt(view, wait) === null)
    .sort(byAge);
}

/** When the last request that is over was answered or went: what the registry said before that was about it. */
export function lastClosedAt(view: SessionView): string {
  let last = "";
  for (const wait of waitsOf(view)) {
    const at = closedAt(view, wait);
    if (at !== null && at > last) last = at;
  }
  return last;
}

/** After this much more was heard, nothing within the order that events may come in changes a closed wait. */
const SETTLED_MS = 10_000;

/**
 * Writes down when waits ended that ended a while ago, so that they are not worked out again for ever. One that was
 * answered stays until its call has ended: that end must not be taken for an equal request's.
 */
export function settleWaits(view: SessionView): void {
  const isLongAgo = (at: string, ms: number): boolean => Date.parse(view.lastAt) - Date.parse(at) > ms;
  for (const wait of view.waits.values()) {
    if (wait.closedAt !== null) continue;
    const at = closedAt(view, wait);
    if (at === null || !isLongAgo(at, SETTLED_MS)) continue;
    const isDriven = wait.drivenId !== null;
    const callId = isDriven ? undefined : endsOf(view, wait).get(wait);
    if (!isDriven && callId === undefined && askerClosed(view, wait) === null) continue;
    if (callId !== undefined) for (const other of view.waits.values()) other.ends.delete(callId);
    wait.closedAt = at;
    wait.input = undefined;
    wait.ends.clear();
    view.statuses.forEach((status, id) => {
      if (isLongAgo(status.at, 60 * SETTLED_MS)) view.statuses.delete(id);
    });
  }
}

/** From when to when a request waited. None lasts longer than its session. */
export function timeOf(view: SessionView, wait: WaitView, endedAtIso: string | null): WaitTime {
  const at = closedAt(view, wait) ?? endedAtIso;
  return { startedAtIso: wait.at, endedAtIso: at === null ? null : laterOf(at, wait.at) };
}

/** How long was waited before the request that has waited longest now; overlapping waits count once. */
export function waitedMs(view: SessionView, endedAtIso: string | null): number {
  const times = waitsOf(view).map((wait) => timeOf(view, wait, endedAtIso));
  const open = times.flatMap((time) => (time.endedAtIso === null ? time.startedAtIso : []));
  const now = open.reduce((first, at) => (at < first ? at : first), open[0] ?? "");
  let total = 0;
  for (const time of mergeWaits(times))
    total += Date.parse(time.endedAtIso ?? now) - Date.parse(time.startedAtIso);
  return total;
}

/** Answered from here, or in its terminal. */
function answeredAt(view: SessionView, wait: WaitView): string | null {
  const hold = view.holds.get(wait.id);
  return earliest([hold?.answeredAt ?? null, dialogClosed(view, wait)]);
}

/** Its own call ran or was refused. */
function callRan(view: SessionView, wait: WaitView): string | null {
  const callId = endsOf(view, wait).get(wait);
  const end = callId === undefined ? undefined : wait.ends.get(callId);
  if (end === undefined) return null;
  return [end.ranAt, end.at].find((at) => at > wait.at) ?? wait.at;
}

/**
 * Which call's end belongs to which of the equal requests: requests do not name their calls, so each end goes to the
 * oldest that was answered by then, else to the oldest that waits. No end counts twice.
 */
function endsOf(view: SessionView, wait: WaitView): ReadonlyMap<WaitView, string> {
  const equal = [...view.waits.values()].filter((one) => isEqual(one, wait)).sort(byAge);
  const ends = new Map<string, WaitEnd>();
  for (const one of equal) for (const [callId, end] of one.ends) if (end.isSame) ends.set(callId, end);
  const owners = new Map<WaitView, string>();
  for (const [callId, end] of [...ends].sort(([, a], [, b]) => (a.at < b.at ? -1 : 1))) {
    const fitting = equal.filter(
      (one) =>
        !owners.has(one) &&
        one.ends.has(callId) &&
        mayEnd(one, callId, end) &&
        !wasOver(view, one, callId, end),
    );
    const answered = fitting.find((one) => (answeredAt(view, one) ?? "~") <= end.at);
    const owner = answered ?? fitting[0];
    if (owner !== undefined) owners.set(owner, callId);
  }
  return owners;
}

function isEqual(a: WaitView, b: WaitView): boolean {
  return (
    a === b ||
    (a.closedAt === null &&
      a.drivenId === null &&
      a.kind === b.kind &&
      a.toolName === b.toolName &&
      a.agentId === b.agentId &&
      a.inputKey === b.inputKey)
  );
}

/** Further apart, two times are not in doubt: a call that had begun before is another one, an end before is a moved clock. */
const APART_MS = 5_000;

function mayEnd(wait: WaitView, callId: string, { at, startedAt }: WaitEnd): boolean {
  const isOwn = wait.call?.toolUseId === callId;
  if (at < wait.at) return isOwn && wait.ms - Date.parse(at) > APART_MS;
  return isOwn || startedAt === null || wait.ms - Date.parse(startedAt) < APART_MS;
}

/** A call that began after a request was refused or gone is another one, which asks for itself. */
function wasOver(view: SessionView, wait: WaitView, callId: string, { startedAt }: WaitEnd): boolean {
  if (startedAt === null || wait.call?.toolUseId === callId) return false;
  const over = earliest([answeredAt(view, wait), askerClosed(view, wait)]);
  return over !== null && over < startedAt;
}

/** The turn, subagent or process that asked is over. */
function askerClosed(view: SessionView, wait: WaitView): string | null {
  return earliest([
    wait.agentId === null ? turnClosed(view, wait) : subagentClosed(view, wait),
    processClosed(view, wait),
    wait.origin === "stream" && wait.toolName === null ? streamClosed(view, wait) : null,
  ]);
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
  return earliest(after);
}

function byAge(a: WaitView, b: WaitView): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1;
}

function earliest(times: readonly (string | null)[]): string | null {
  let first: string | null = null;
  for (const at of times) if (at !== null && (first === null || at < first)) first = at;
  return first;
}

function laterOf(a: string, b: string): string {
  return a > b ? a : b;
}
