import type { SessionSnapshot } from "../serve/contract.ts";
import { waitingSince } from "./state-badge.ts";
import { type RecordedRequest, recordedRequests } from "./waiting-requests.ts";

/** One reason for a notification: a request, or null for any other reason that a session needs a person. */
export interface Wait {
  readonly session: SessionSnapshot;
  readonly request: RecordedRequest | null;
}

export interface WaitNotices {
  /** Those that have lasted long enough and have not been announced. */
  readonly due: readonly Wait[];
  /** When to check again if nothing changes; null if no wait will become due. */
  readonly nextAtMs: number | null;
}

/** The waits to announce. Pure: `notified` holds the keys of those already announced. */
export function waitNotices(
  sessions: Iterable<SessionSnapshot>,
  notified: ReadonlySet<string>,
  options: { readonly now: number; readonly afterMs: number },
): WaitNotices {
  const due: Wait[] = [];
  let nextAtMs: number | null = null;
  for (const wait of [...sessions].flatMap(waitsOf)) {
    if (notified.has(waitKey(wait))) continue;
    const since = Date.parse(wait.request?.sinceIso ?? waitingSince(wait.session));
    const dueAtMs = (Number.isFinite(since) ? since : options.now) + options.afterMs;
    if (dueAtMs <= options.now) due.push(wait);
    else nextAtMs = Math.min(dueAtMs, nextAtMs ?? dueAtMs);
  }
  return { due, nextAtMs };
}

/** Identifies a request by its id, whatever else changes in its session. */
export function waitKey({ session, request }: Wait): string {
  return `${session.sessionId} ${request?.requestId ?? `${session.activityPhase} ${session.sinceIso}`}`;
}

function waitsOf(session: SessionSnapshot): Wait[] {
  if (!session.needsPerson) return [];
  const requests = recordedRequests(session);
  if (requests.length === 0) return [{ session, request: null }];
  return requests.map((request) => ({ session, request }));
}
