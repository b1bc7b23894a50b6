import { removeSessions } from "../store/remove-sessions.ts";
import type { Base } from "./base.ts";
import { createBelief, heardBeforeIso } from "./clock.ts";
import { tellError } from "./notices.ts";
import type { Recording } from "./recording.ts";

/** Removes what is older than it may be, when the daemon starts and every day. */
export interface Retention {
  /** Says so when it fails. */
  run(): Promise<void>;
  isRunning(): boolean;
}

const DAY_MS = 24 * 3_600_000;

export interface RetentionParts {
  /** What was told so far is in the store. */
  readonly flush: () => Promise<void>;
  /** Before the store follows the log again. */
  readonly onRemoved: (sessionIds: readonly string[]) => void;
}

export function keepRetention(
  { config, clock, tellSlow, notice, writeLog, nowMs }: Base,
  { log, keeper, quarantine, tendSound }: Recording,
  { flush, onRemoved }: RetentionParts,
): Retention {
  const { retentionDays } = config;
  const belief = createBelief(clock.elapsedMs);
  let isRunning = false;
  const hasWork = (beforeIso: string | null): Promise<boolean> =>
    keeper.use(async ({ facts }) => {
      const old = beforeIso === null ? [] : await facts.sessionsOlderThan(beforeIso);
      return old.length > 0 || (await facts.removals()).length > 0;
    });
  const remove = async (): Promise<void> => {
    const now = nowMs();
    const heard = await keeper.use((store) => store.facts.newestSessionBefore(heardBeforeIso(now)));
    const believedMs = belief.nowMs(now, heard === null ? null : Date.parse(heard));
    if (now - believedMs < DAY_MS) quarantine.sweep();
    const beforeIso =
      retentionDays === null ? null : new Date(believedMs - retentionDays * DAY_MS).toISOString();
    if (!(await hasWork(beforeIso))) return;
    // A session that has come back may have told so in the spool only.
    await flush();
    isRunning = true;
    const removed = await tendSound(() =>
      keeper.aloneLevel(async () => {
        const sessionIds = await removeSessions(beforeIso, { log, facts: keeper.store.facts });
        if (sessionIds.length > 0) onRemoved(sessionIds);
        return sessionIds;
      }),
    ).finally(() => {
      isRunning = false;
    });
    if (removed.length > 0) writeLog("info", `removed ${removed.length} session(s) from log and database`);
  };
  const run = (): Promise<void> =>
    tellSlow("removing old sessions", remove).catch((error) =>
      notice(`removing old sessions failed: ${tellError(error)}`),
    );
  clock.onDay(() => void run());
  return { run, isRunning: () => isRunning };
}
