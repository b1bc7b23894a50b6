import type { EqualRequests } from "../waiting-requests.ts";
import { isAnswerable } from "../waiting-requests.ts";
import { groupsOf, type TopData } from "./top-data.ts";
import { type Current, rowsOf, selectedOf, type TopView } from "./top-view.ts";

/** So long it is shown that a request has ended, before another takes its place: nobody's key goes to that one. */
const ENDED_MS = 800;

/**
 * The view with its current request brought up to date. Pure. A request that waits is never replaced by one that comes;
 * one that ended makes room after a while.
 */
export function keepCurrent(view: TopView, data: TopData, now: number): TopView {
  const session = selectedOf(rowsOf(data, view, now), view);
  const groups = session === undefined ? [] : groupsOf(data, session.sessionId, now);
  const next = nextCurrent(view.current, session?.sessionId ?? null, groups, now);
  const isSame =
    next === view.current ||
    (next?.requestId === view.current?.requestId &&
      next?.endedMs === view.current?.endedMs &&
      next?.key === view.current?.key);
  if (isSame) return view;
  // What was said about the request before would read as this one's.
  const isAnother = next !== null && next.requestId !== view.current?.requestId;
  return { ...view, current: next, note: isAnother ? null : view.note };
}

/** The group that holds the current request. */
export function currentGroup(
  current: Current | null,
  groups: readonly EqualRequests[],
): EqualRequests | undefined {
  return groups.find(({ ids }) => current !== null && ids.includes(current.requestId));
}

export function toCurrent({ first, key }: EqualRequests): Current {
  return { sessionId: first.sessionId, requestId: first.id, key, endedMs: null };
}

function nextCurrent(
  current: Current | null,
  sessionId: string | null,
  groups: readonly EqualRequests[],
  now: number,
): Current | null {
  if (sessionId === null) return null;
  if (current === null || current.sessionId !== sessionId) return firstOf(groups);
  // One of two equal requests ended: the other reads the same.
  const own = currentGroup(current, groups) ?? groups.find(({ key }) => key === current.key);
  if (own !== undefined) return toCurrent(own);
  const endedMs = current.endedMs ?? now;
  return now - endedMs < ENDED_MS ? { ...current, endedMs } : firstOf(groups);
}

function firstOf(groups: readonly EqualRequests[]): Current | null {
  const first = groups.find((group) => isAnswerable(group.first)) ?? groups[0];
  return first === undefined ? null : toCurrent(first);
}
