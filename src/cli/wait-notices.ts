import type { SessionSnapshot } from "../serve/contract.ts";
import { waitsSince } from "./session-face.ts";
import { type RecordedRequest, recordedOf } from "./waiting-requests.ts";

/** One thing that a person is notified of: a request, or with null whatever else a session needs them for. */
export interface Wait {
  readonly session: SessionSnapshot;
  readonly request: RecordedRequest | null;
}

export interface WaitNotices {
  /** Those that have lasted long enough and that nobody was notified of. */
  readonly due: readonly Wait[];
  /** When to look again if nothing changes; null when no wait is to come due. */
  readonly nextAtMs: number | null;
}

/** Which waits to notify of. Pure: `told` holds the keys of those that were announced already. */
export function waitNotices(
  sessions: Iterable<SessionSnapshot>,
  told: ReadonlySet<string>,
  options: { readonly now: number; readonly afterMs: number },
): WaitNotices {
  const due: Wait[] = [];
  let nextAtMs: number | null = null;
  for (const wait of [...sessions].flatMap(waitsOf)) {
    if (told.has(waitKey(wait))) continue;
    const since = Date.parse(wait.request?.sinceIso ?? waitsSince(wait.session));
    const at = (Number.isFinite(since) ? since : options.now) + options.afterMs;
    if (at <= options.now) due.push(wait);
    else nextAtMs = Math.min(at, nextAtMs ?? at);
  }
  return { due, nextAtMs };
}

/** A request by its id, whatever else of its session changes. */
export function waitKey({ session, request }: Wait): string {
  return `${session.sessionId} ${request?.requestId ?? `${session.activityPhase} ${session.sinceIso}`}`;
}

function waitsOf(session: SessionSnapshot): Wait[] {
  if (!session.needsPerson) return [];
  const requests = recordedOf(session);
  if (requests.length === 0) return [{ session, request: null }];
  return requests.map((request) => ({ session, request }));
}
