import { removeSessions } from "../store/remove-sessions.ts";
import type { Base } from "./base.ts";
import { createAgeClock, trustedBeforeIso } from "./clock.ts";
import { errorText } from "./daemon-messages.ts";
import type { Recording } from "./recording.ts";

/** Removes data past its retention period, at the daemon's start and daily. */
export interface Retention {
  /** Reports its own failures. */
  run(): Promise<void>;
  isRunning(): boolean;
}

const DAY_MS = 24 * 3_600_000;

export interface RetentionParts {
  /** Resolves when all events so far are in the store. */
  readonly flush: () => Promise<void>;
  /** Called before the store follows the log again. */
  readonly onRemoved: (sessionIds: readonly string[]) => void;
}

export function startRetention(
  { config, clock, reportSlow, notice, writeLog, nowMs }: Base,
  { log, liveStore, quarantine, withSoundLog }: Recording,
  { flush, onRemoved }: RetentionParts,
): Retention {
  const { retentionDays } = config;
  const ageClock = createAgeClock(clock.elapsedMs);
  let isRunning = false;
  const hasWork = (beforeIso: string | null): Promise<boolean> =>
    liveStore.use(async ({ facts }) => {
      const old = beforeIso === null ? [] : await facts.sessionsOlderThan(beforeIso);
      return old.length > 0 || (await facts.pendingRemovals()).length > 0;
    });
  const remove = async (): Promise<void> => {
    const now = nowMs();
    const newestIso = await liveStore.use((store) => store.facts.newestSessionBefore(trustedBeforeIso(now)));
    const trustedNowMs = ageClock.nowMs(now, newestIso === null ? null : Date.parse(newestIso));
    if (now - trustedNowMs < DAY_MS) quarantine.sweep();
    const beforeIso =
      retentionDays === null ? null : new Date(trustedNowMs - retentionDays * DAY_MS).toISOString();
    if (!(await hasWork(beforeIso))) return;
    // A resumed session may be known only in the spool so far.
    await flush();
    isRunning = true;
    const removed = await withSoundLog(() =>
      liveStore.runExclusiveCaughtUp(async () => {
        const sessionIds = await removeSessions(beforeIso, { log, facts: liveStore.store.facts });
        if (sessionIds.length > 0) onRemoved(sessionIds);
        return sessionIds;
      }),
    ).finally(() => {
      isRunning = false;
    });
    if (removed.length > 0) writeLog("info", `removed ${removed.length} session(s) from log and database`);
  };
  const run = (): Promise<void> =>
    reportSlow("removing old sessions", remove).catch((error) =>
      notice(`removing old sessions failed: ${errorText(error)}`),
    );
  clock.onDay(() => void run());
  return { run, isRunning: () => isRunning };
}
