import { mergeWaits, type WaitInterval } from "./merge-waits.ts";
import { dialogClosedAt } from "./read-dialogs.ts";
import { replacedAt } from "./read-turns.ts";
import type { EventTime, SessionView, WaitEnd, WaitView } from "./session-view.ts";
import { isAfter } from "./session-view.ts";

/**
 * When a request ended: answered, run or refused, or with its turn, subagent or process. Null while it waits.
 */
export function closedAt(view: SessionView, wait: WaitView): string | null {
  if (wait.closedAt !== null) return wait.closedAt;
  if (wait.drivenId !== null) return drivenSettledAt(view, wait, wait.drivenId);
  return earliest([answeredAt(view, wait), callRanAt(view, wait), requesterClosedAt(view, wait)]);
}

/** The driver reports the requests of a driven session; its hooks report the same ones again. */
export function waitsOf(view: SessionView): WaitView[] {
  const isDriven = view.driven !== null;
  return [...view.waits.values()].filter((wait) => (wait.drivenId !== null) === isDriven);
}

function drivenSettledAt(
  { driven, settledRequests }: SessionView,
  wait: WaitView,
  requestId: string,
): string | null {
  const at = settledRequests.get(requestId);
  if (at !== undefined) return at;
  return driven?.state === "closed" && driven.at >= wait.at ? driven.at : null;
}

/** Pending waits, oldest first. */
export function openWaits(view: SessionView): WaitView[] {
  return waitsOf(view)
    .filter((wait) => closedAt(view, wait) === null)
    .sort(byAge);
}

/** When the last closed request was answered or expired: earlier registry statuses were about it. */
export function lastClosedAt(view: SessionView): string {
  let last = "";
  for (const wait of waitsOf(view)) {
    const at = closedAt(view, wait);
    if (at !== null && at > last) last = at;
  }
  return last;
}

/** After this much later activity, no event within the tolerated disorder changes a closed wait. */
const FINAL_AFTER_MS = 10_000;

/**
 * Fixes the end of waits that ended a while ago, so that they are not recomputed forever. An answered one
 * stays open until its call has ended: that end must not be assigned to an equal request.
 */
export function finalizeWaits(view: SessionView): void {
  const isLongAgo = (at: string, ms: number): boolean => Date.parse(view.lastAt) - Date.parse(at) > ms;
  for (const wait of view.waits.values()) {
    if (wait.closedAt !== null) continue;
    const at = closedAt(view, wait);
    if (at === null || !isLongAgo(at, FINAL_AFTER_MS)) continue;
    const isDriven = wait.drivenId !== null;
    const callId = isDriven ? undefined : assignEnds(view, wait).get(wait);
    if (!isDriven && callId === undefined && requesterClosedAt(view, wait) === null) continue;
    if (callId !== undefined) for (const other of view.waits.values()) other.ends.delete(callId);
    wait.closedAt = at;
    wait.input = undefined;
    wait.ends.clear();
    view.statuses.forEach((status, id) => {
      if (isLongAgo(status.at, 60 * FINAL_AFTER_MS)) view.statuses.delete(id);
    });
  }
}

/** The time span in which a request waited. None lasts longer than its session. */
export function waitIntervalOf(view: SessionView, wait: WaitView, endedAtIso: string | null): WaitInterval {
  const at = closedAt(view, wait) ?? endedAtIso;
  return { startedAtIso: wait.at, endedAtIso: at === null ? null : laterOf(at, wait.at) };
}

/** Time waited before the longest currently pending request; overlapping waits count once. */
export function totalWaitMs(view: SessionView, endedAtIso: string | null): number {
  const times = waitsOf(view).map((wait) => waitIntervalOf(view, wait, endedAtIso));
  const open = times.flatMap((interval) => (interval.endedAtIso === null ? interval.startedAtIso : []));
  const openSince = open.reduce((first, at) => (at < first ? at : first), open[0] ?? "");
  let total = 0;
  for (const interval of mergeWaits(times))
    total += Date.parse(interval.endedAtIso ?? openSince) - Date.parse(interval.startedAtIso);
  return total;
}

/** Answered from here or in its terminal. */
function answeredAt(view: SessionView, wait: WaitView): string | null {
  const hold = view.holds.get(wait.id);
  return earliest([hold?.answeredAt ?? null, dialogClosedAt(view, wait)]);
}

/** Its own call ran or was refused. */
function callRanAt(view: SessionView, wait: WaitView): string | null {
  const callId = assignEnds(view, wait).get(wait);
  const end = callId === undefined ? undefined : wait.ends.get(callId);
  if (end === undefined) return null;
  return [end.ranAt, end.at].find((at) => at > wait.at) ?? wait.at;
}

/**
 * Assigns the ends of calls to equal requests: requests do not name their calls, so each end goes to the
 * oldest request answered by then, else to the oldest pending one. No end counts twice.
 */
function assignEnds(view: SessionView, wait: WaitView): ReadonlyMap<WaitView, string> {
  const equal = [...view.waits.values()].filter((other) => isEqual(other, wait)).sort(byAge);
  const ends = new Map<string, WaitEnd>();
  for (const other of equal) for (const [callId, end] of other.ends) if (end.isSame) ends.set(callId, end);
  const owners = new Map<WaitView, string>();
  for (const [callId, end] of [...ends].sort(([, a], [, b]) => (a.at < b.at ? -1 : 1))) {
    const candidates = equal.filter(
      (other) =>
        !owners.has(other) &&
        other.ends.has(callId) &&
        mayEnd(other, callId, end) &&
        !hadEndedBefore(view, other, callId, end),
    );
    const answered = candidates.find((other) => (answeredAt(view, other) ?? "~") <= end.at);
    const owner = answered ?? candidates[0];
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

/**
 * Beyond this, order is certain: a call that started earlier is another one, and an earlier end means a
 * changed clock.
 */
const MAX_CLOCK_SKEW_MS = 5_000;

function mayEnd(wait: WaitView, callId: string, { at, startedAt }: WaitEnd): boolean {
  const isOwn = wait.call?.toolUseId === callId;
  if (at < wait.at) return isOwn && wait.ms - Date.parse(at) > MAX_CLOCK_SKEW_MS;
  return isOwn || startedAt === null || wait.ms - Date.parse(startedAt) < MAX_CLOCK_SKEW_MS;
}

/** A call that started after a request was refused or expired is another one with its own request. */
function hadEndedBefore(view: SessionView, wait: WaitView, callId: string, { startedAt }: WaitEnd): boolean {
  if (startedAt === null || wait.call?.toolUseId === callId) return false;
  const endedAt = earliest([answeredAt(view, wait), requesterClosedAt(view, wait)]);
  return endedAt !== null && endedAt < startedAt;
}

/** The requesting turn, subagent or process is over. */
function requesterClosedAt(view: SessionView, wait: WaitView): string | null {
  return earliest([
    wait.agentId === null ? turnClosedAt(view, wait) : subagentClosedAt(view, wait),
    processClosedAt(view, wait),
    wait.origin === "stream" && wait.toolName === null ? streamClosedAt(view, wait) : null,
  ]);
}

/** The main agent asks in one turn at a time: the end of its turn, or another turn, ends the request. */
function turnClosedAt(view: SessionView, wait: WaitView): string | null {
  let first: string | null = null;
  const consider = (time: EventTime | null): void => {
    if (time === null || time.at === "" || !isAfter(time, wait)) return;
    const at = laterOf(time.at, wait.at);
    if (first === null || at < first) first = at;
  };
  for (const turn of view.turns.values()) {
    consider(turn.end);
    if (turn.promptId !== wait.promptId) consider(turn.start);
  }
  return first;
}

function subagentClosedAt(view: SessionView, wait: WaitView): string | null {
  const stopped = view.subagents.get(wait.agentId!)?.stoppedAt ?? null;
  return stopped !== null && stopped >= wait.at ? stopped : null;
}

function processClosedAt(view: SessionView, wait: WaitView): string | null {
  if (wait.pid === null) return null;
  const process = view.processes.get(wait.pid);
  if (process === undefined) return null;
  const end = process.end ?? process.gone;
  const at = end !== null && !isAfter(wait, end) ? end.at : replacedAt(view, process);
  return at === null ? null : laterOf(at, wait.at);
}

/** Another program reports only that it waits, not for what: its next event of any kind ends the wait. */
function streamClosedAt(view: SessionView, wait: WaitView): string | null {
  const next: (EventTime | null)[] = [];
  for (const { start, end } of view.processes.values()) next.push(start, end);
  for (const { active } of view.turns.values()) next.push(active.at === "" ? null : active);
  for (const other of view.waits.values()) if (other !== wait) next.push(other);
  const after = next.filter((time) => time !== null && isAfter(time, wait)).map((time) => time!.at);
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
