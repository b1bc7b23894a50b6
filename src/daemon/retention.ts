import type { Quarantine } from "../capture/quarantine.ts";
import type { Log } from "../log/log.ts";
import type { StoreKeeper } from "../store/keep-store.ts";
import { removeSessions } from "../store/remove-sessions.ts";
import { createBelief, heardBeforeIso } from "./clock.ts";

/** Removes what is older than it may be, when the daemon starts and every day. */
export interface Retention {
  run(): Promise<void>;
  isRunning(): boolean;
}

export interface RetentionOptions {
  readonly days: number | null;
  readonly log: Log;
  readonly keeper: StoreKeeper;
  readonly quarantine: Quarantine;
  /** The log is not rewritten by others meanwhile, and is sound. */
  readonly tend: <T>(work: () => Promise<T>) => Promise<T>;
  /** Milliseconds that passed, also while the machine slept. */
  readonly elapsedMs: () => number;
  readonly onRemoved: (sessionIds: readonly string[], count: number) => void;
}

const DAY_MS = 24 * 3_600_000;

export function keepRetention(options: RetentionOptions): Retention {
  const { days, keeper } = options;
  const belief = createBelief(options.elapsedMs);
  let isRunning = false;
  return {
    isRunning: () => isRunning,
    async run() {
      const nowMs = Date.now();
      const heard = await keeper.use((store) => store.facts.newestSessionBefore(heardBeforeIso(nowMs)));
      const believedMs = belief.nowMs(nowMs, heard === null ? null : Date.parse(heard));
      const old =
        days === null
          ? []
          : await keeper.use((store) =>
              store.facts.sessionsOlderThan(new Date(believedMs - days * DAY_MS).toISOString()),
            );
      if (nowMs - believedMs < DAY_MS) options.quarantine.sweep();
      if (old.length === 0 && (await keeper.use((store) => store.facts.removals())).length === 0) return;
      isRunning = true;
      const { log } = options;
      const nowIso = new Date().toISOString();
      const removed = await options
        .tend(() => keeper.alone(() => removeSessions(old, { log, facts: keeper.store.facts, nowIso })))
        .finally(() => {
          isRunning = false;
        });
      options.onRemoved(old, removed);
    },
  };
}
