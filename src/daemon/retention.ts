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

export function keepRetention(
  { config, clock, tellSlow, notice, writeLog, nowMs }: Base,
  { log, keeper, quarantine, tendSound }: Recording,
  onRemoved: (sessionIds: readonly string[]) => void,
): Retention {
  const { retentionDays } = config;
  const belief = createBelief(clock.elapsedMs);
  let isRunning = false;
  const sessionsBefore = (ms: number): Promise<readonly string[]> =>
    keeper.use((store) => store.facts.sessionsOlderThan(new Date(ms).toISOString()));
  const remove = async (): Promise<void> => {
    const now = nowMs();
    const heard = await keeper.use((store) => store.facts.newestSessionBefore(heardBeforeIso(now)));
    const believedMs = belief.nowMs(now, heard === null ? null : Date.parse(heard));
    const old = retentionDays === null ? [] : await sessionsBefore(believedMs - retentionDays * DAY_MS);
    if (now - believedMs < DAY_MS) quarantine.sweep();
    if (old.length === 0 && (await keeper.use((store) => store.facts.removals())).length === 0) return;
    isRunning = true;
    const nowIso = new Date().toISOString();
    const count = await tendSound(() =>
      keeper.alone(() => removeSessions(old, { log, facts: keeper.store.facts, nowIso })),
    ).finally(() => {
      isRunning = false;
    });
    onRemoved(old);
    if (count > 0) writeLog("info", `removed ${count} session(s) from log and database`);
  };
  const run = (): Promise<void> =>
    tellSlow("removing old sessions", remove).catch((error) =>
      notice(`removing old sessions failed: ${tellError(error)}`),
    );
  clock.onDay(() => void run());
  return { run, isRunning: () => isRunning };
}
