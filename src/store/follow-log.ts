import { setTimeout as sleep } from "node:timers/promises";
import type { Log, LogBatch, RestoreReport } from "../log/log.ts";
import { catchUp } from "./catch-up.ts";
import type { ApplyResult } from "./facts.ts";
import type { PartRepairs } from "./repair-parts.ts";
import type { ReplaceableStore } from "./replaceable-store.ts";
import { storeErrorKind } from "./store-error.ts";

/** Keeps the store caught up with the log, recovering from errors of either. */
export interface LogFollower {
  /** Applies what is new in the log. Rebuilds a corrupt store first; waits while it is busy or full. */
  followOnce(): Promise<void>;
  /** Marks the store for a rebuild. False if it is already marked. */
  markCorrupt(): boolean;
  stop(): void;
}

export interface LogFollowerOptions {
  readonly slot: ReplaceableStore;
  readonly log: Log;
  /** Awaited, so that readers of the log find what it wrote. */
  readonly onApplied?: (result: ApplyResult, batch: LogBatch) => void | Promise<void>;
  readonly onRestored?: (report: RestoreReport) => void;
  readonly onNotice: (message: string) => void;
}

const RETRY_DELAYS_MS = [20, 50, 100, 250, 500, 1_000];

export function createLogFollower(options: LogFollowerOptions, repairs: PartRepairs): LogFollower {
  const { slot, log, onApplied } = options;
  let isCorrupt = false;
  let isStopped = false;

  const catchUpOnce = async (): Promise<void> => {
    if (isCorrupt) {
      await slot.replace();
      isCorrupt = false;
    }
    const { facts } = slot.store;
    const restored = await log.restore(await facts.position(), facts);
    if (restored !== null) options.onRestored?.(restored);
    await catchUp(log, facts, { onApplied, from: restored?.rereadFrom, live: true });
    repairs.reset();
  };

  return {
    async followOnce() {
      for (let attempt = 0; !isStopped; attempt++) {
        try {
          await catchUpOnce();
          return;
        } catch (error) {
          const kind = storeErrorKind(error);
          if (kind === "corrupt") isCorrupt = true;
          else if (kind === "busy" || kind === "full") {
            if (attempt % 20 === 5)
              options.onNotice(`the database is ${kind}: ${(error as Error).message}; retrying`);
            await sleep(RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)]!);
          } else await repairs.repairOrThrow(error);
        }
      }
    },
    markCorrupt() {
      const isNew = !isCorrupt;
      isCorrupt = true;
      return isNew;
    },
    stop() {
      isStopped = true;
    },
  };
}
