import type { EqualRequests } from "../waiting-requests.ts";
import { isAnswerable } from "../waiting-requests.ts";
import { requestGroups, type TopData } from "./top-data.ts";
import { type CurrentRequest, listRows, selectedSession, type TopView } from "./top-view.ts";

/** How long an ended request stays before another replaces it, so that no key press hits the new one. */
const ENDED_VISIBLE_MS = 800;

/**
 * Updates the view's current request. Pure. A pending request is never replaced by a new one; an ended one
 * is replaced after a while.
 */
export function updateCurrentRequest(view: TopView, data: TopData, now: number): TopView {
  const session = selectedSession(listRows(data, view, now), view);
  const groups = session === undefined ? [] : requestGroups(data, session.sessionId, now);
  const next = nextCurrentRequest(view.current, session?.sessionId ?? null, groups, now);
  const isSame =
    next === view.current ||
    (next?.requestId === view.current?.requestId &&
      next?.endedMs === view.current?.endedMs &&
      next?.key === view.current?.key);
  if (isSame) return view;
  // A note about the previous request would seem to be about this one.
  const isAnother = next !== null && next.requestId !== view.current?.requestId;
  return { ...view, current: next, note: isAnother ? null : view.note };
}

export function currentGroup(
  current: CurrentRequest | null,
  groups: readonly EqualRequests[],
): EqualRequests | undefined {
  return groups.find(({ ids }) => current !== null && ids.includes(current.requestId));
}

export function toCurrentRequest({ first, key }: EqualRequests): CurrentRequest {
  return { sessionId: first.sessionId, requestId: first.id, key, endedMs: null };
}

function nextCurrentRequest(
  current: CurrentRequest | null,
  sessionId: string | null,
  groups: readonly EqualRequests[],
  now: number,
): CurrentRequest | null {
  if (sessionId === null) return null;
  if (current === null || current.sessionId !== sessionId) return firstOf(groups);
  // One of two equal requests ended: the other reads the same.
  const matching = currentGroup(current, groups) ?? groups.find(({ key }) => key === current.key);
  if (matching !== undefined) return toCurrentRequest(matching);
  const endedMs = current.endedMs ?? now;
  return now - endedMs < ENDED_VISIBLE_MS ? { ...current, endedMs } : firstOf(groups);
}

function firstOf(groups: readonly EqualRequests[]): CurrentRequest | null {
  const first = groups.find((group) => isAnswerable(group.first)) ?? groups[0];
  return first === undefined ? null : toCurrentRequest(first);
}
