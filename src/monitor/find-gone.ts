import type { HooklineEvent } from "../event/event.ts";
import { goneEvent } from "./decide-evidence.ts";
import { livingProcess } from "./read-turns.ts";
import type { SessionBook } from "./session-book.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";

/** Finds sessions whose process went without a word. */
export interface GoneFinder {
  /** Whether one looked gone the last time: then the spool is to be taken before it is looked for again. */
  hasSuspects(): boolean;
  /** Suspected once, then found a second time after the spool was taken. */
  find(live: readonly SessionSnapshot[]): SessionSnapshot[];
}

export type IsAlive = (pid: number, options: { startedBeforeMs: number }) => boolean;

/** The clock is read in two places, and by two processes. */
const START_SLACK_MS = 5_000;

export function createGoneFinder(isAlive: IsAlive): GoneFinder {
  const suspects = new Set<string>();
  return {
    hasSuspects: () => suspects.size > 0,
    find: (live) =>
      live.filter(({ sessionId, pid, lastEventAtIso }) => {
        if (pid === null) return false;
        // One that began after the last word of the session is another with the same pid.
        const startedBeforeMs = Date.parse(lastEventAtIso) + START_SLACK_MS;
        const isGone = !isAlive(pid, { startedBeforeMs });
        const isSuspect = suspects.delete(sessionId);
        if (isGone && !isSuspect) suspects.add(sessionId);
        return isGone && isSuspect;
      }),
  };
}

/** That these processes are gone, where they still are those of their sessions. */
export function goneEvents(
  book: SessionBook,
  gone: readonly SessionSnapshot[],
  nowMs: number,
): HooklineEvent[] {
  return gone.flatMap(({ sessionId, pid }) => {
    const view = book.view(sessionId);
    if (view === undefined || pid === null || livingProcess(view)?.pid !== pid) return [];
    return [goneEvent(view, pid, new Date(nowMs).toISOString())];
  });
}
