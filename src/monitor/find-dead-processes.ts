import type { HooklineEvent } from "../event/event.ts";
import { processGoneEvent } from "./decide-evidence.ts";
import { runningProcess } from "./read-turns.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import type { WatchedSessions } from "./watched-sessions.ts";

/** Finds sessions whose process disappeared without an end event. */
export interface DeadProcessFinder {
  /** Whether the last run had suspects: then the spool must be ingested before the next. */
  hasSuspects(): boolean;
  /** Returns sessions found dead twice, with the spool ingested in between. */
  find(live: readonly SessionSnapshot[]): SessionSnapshot[];
}

export type IsAlive = (pid: number, options: { startedBeforeMs: number }) => boolean;

/** The agent's clock and ours may differ slightly. */
const START_SLACK_MS = 5_000;

export function createDeadProcessFinder(isAlive: IsAlive): DeadProcessFinder {
  const suspects = new Set<string>();
  return {
    hasSuspects: () => suspects.size > 0,
    find: (live) =>
      live.filter(({ sessionId, pid, lastEventAtIso }) => {
        if (pid === null) return false;
        // A process that started after the session's last event is another one with the same pid.
        const startedBeforeMs = Date.parse(lastEventAtIso) + START_SLACK_MS;
        const isDead = !isAlive(pid, { startedBeforeMs });
        const isSuspect = suspects.delete(sessionId);
        if (isDead && !isSuspect) suspects.add(sessionId);
        return isDead && isSuspect;
      }),
  };
}

/** Returns events for the dead processes that still belong to their sessions. */
export function processGoneEvents(
  watched: WatchedSessions,
  dead: readonly SessionSnapshot[],
  nowMs: number,
): HooklineEvent[] {
  return dead.flatMap(({ sessionId, pid }) => {
    const view = watched.view(sessionId);
    if (view === undefined || pid === null || runningProcess(view)?.pid !== pid) return [];
    return [processGoneEvent(view, pid, new Date(nowMs).toISOString())];
  });
}
