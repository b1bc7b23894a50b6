import { DamagedPartError, type Log, type LogPart, type RepairReport } from "../log/log.ts";
import type { ReplaceableStore } from "./replaceable-store.ts";

/** Repairs damaged parts of the log from the store. */
export interface PartRepairs {
  /** Throws an error that is no damaged part, and one that was just repaired. */
  repairOrThrow(error: unknown): Promise<void>;
  /** All of the log could be read: each part may be repaired again. */
  clear(): void;
}

export interface PartRepairsOptions {
  readonly place: ReplaceableStore;
  readonly log: Log;
  readonly onRepaired?: (report: RepairReport) => void;
}

export function createPartRepairs({ place, log, onRepaired }: PartRepairsOptions): PartRepairs {
  /** Each part once in a row: one that is damaged right after it was repaired is a fault of ours. */
  const repaired = new Set<LogPart>();
  return {
    async repairOrThrow(error) {
      if (!(error instanceof DamagedPartError) || repaired.has(error.part)) throw error;
      repaired.add(error.part);
      const { facts } = place.store;
      const report = await log.repair(error.part, await facts.position(), facts);
      if (report !== null) onRepaired?.(report);
    },
    clear: () => repaired.clear(),
  };
}
