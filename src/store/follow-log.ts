import { setTimeout as sleep } from "node:timers/promises";
import type { Log, LogBatch, RestoreReport } from "../log/log.ts";
import { catchUp } from "./catch-up.ts";
import type { ApplyResult } from "./facts.ts";
import type { PartRepairs } from "./repair-parts.ts";
import type { ReplaceableStore } from "./replaceable-store.ts";
import { storeTrouble } from "./store-error.ts";

/** Brings the store level with the log, whatever is wrong with either. */
export interface LogFollower {
  /** Takes what is new in the log. A corrupt store is made again first; a busy or full one is waited for. */
  followOnce(): Promise<void>;
  /** The store is to be made again. False if that is known already. */
  noteCorrupt(): boolean;
  stop(): void;
}

export interface LogFollowerOptions {
  readonly place: ReplaceableStore;
  readonly log: Log;
  /** Awaited: who follows the log finds what this has made of it. */
  readonly onApplied?: (result: ApplyResult, batch: LogBatch) => void | Promise<void>;
  readonly onRestored?: (report: RestoreReport) => void;
  readonly onNotice: (message: string) => void;
}

const BUSY_MS = [20, 50, 100, 250, 500, 1_000];

export function createLogFollower(options: LogFollowerOptions, repairs: PartRepairs): LogFollower {
  const { place, log, onApplied } = options;
  let isCorrupt = false;
  let isStopped = false;

  const catchUpOnce = async (): Promise<void> => {
    if (isCorrupt) {
      await place.replace();
      isCorrupt = false;
    }
    const { facts } = place.store;
    const restored = await log.restore(await facts.position(), facts);
    if (restored !== null) options.onRestored?.(restored);
    await catchUp(log, facts, { onApplied, from: restored?.from, live: true });
    repairs.clear();
  };

  return {
    async followOnce() {
      for (let attempt = 0; !isStopped; attempt++) {
        try {
          await catchUpOnce();
          return;
        } catch (error) {
          const trouble = storeTrouble(error);
          if (trouble === "corrupt") isCorrupt = true;
          else if (trouble === "busy" || trouble === "full") {
            if (attempt % 20 === 5)
              options.onNotice(`the database is ${trouble}: ${(error as Error).message}; trying on`);
            await sleep(BUSY_MS[Math.min(attempt, BUSY_MS.length - 1)]!);
          } else await repairs.repairOrThrow(error);
        }
      }
    },
    noteCorrupt() {
      const isNews = !isCorrupt;
      isCorrupt = true;
      return isNews;
    },
    stop() {
      isStopped = true;
    },
  };
}
