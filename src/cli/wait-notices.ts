import type { SessionSnapshot } from "../serve/contract.ts";
import { waitsSince } from "./session-face.ts";

export interface WaitNotices {
  /** Sessions that have needed a person for long enough and of which nobody was told. */
  readonly due: readonly SessionSnapshot[];
  /** When to look again if nothing changes; null when no wait is to come due. */
  readonly nextAtMs: number | null;
}

/** Which waits to tell of. Pure: `told` holds the waits that were told already. */
export function waitNotices(
  sessions: Iterable<SessionSnapshot>,
  told: ReadonlySet<string>,
  options: { readonly now: number; readonly afterMs: number },
): WaitNotices {
  const due: SessionSnapshot[] = [];
  let nextAtMs: number | null = null;
  for (const session of sessions) {
    if (!session.needsPerson || told.has(waitKey(session))) continue;
    const since = Date.parse(waitsSince(session));
    const at = (Number.isFinite(since) ? since : options.now) + options.afterMs;
    if (at <= options.now) due.push(session);
    else nextAtMs = Math.min(at, nextAtMs ?? at);
  }
  return { due, nextAtMs };
}

/** One wait: a request of a session, whatever else of the session changes. */
export function waitKey(session: SessionSnapshot): string {
  return `${session.sessionId} ${session.waiting?.requestId ?? `${session.activityPhase} ${session.sinceIso}`}`;
}
