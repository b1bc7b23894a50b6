import { DamagedPartError, type Log, type LogPart, type RepairReport } from "../log/log.ts";
import type { ReplaceableStore } from "./replaceable-store.ts";

/** Repairs damaged parts of the log from the store. */
export interface PartRepairs {
  /** Rethrows any other error, and that of a part that was just repaired. */
  repairOrThrow(error: unknown): Promise<void>;
  /** The whole log was readable: each part may be repaired again. */
  reset(): void;
}

export interface PartRepairsOptions {
  readonly slot: ReplaceableStore;
  readonly log: Log;
  readonly onRepaired?: (report: RepairReport) => void;
}

export function createPartRepairs({ slot, log, onRepaired }: PartRepairsOptions): PartRepairs {
  /** A part is repaired once in a row: one that is damaged right after its repair is our own bug. */
  const repaired = new Set<LogPart>();
  return {
    async repairOrThrow(error) {
      if (!(error instanceof DamagedPartError) || repaired.has(error.part)) throw error;
      repaired.add(error.part);
      const { facts } = slot.store;
      const report = await log.repair(error.part, await facts.position(), facts);
      if (report !== null) onRepaired?.(report);
    },
    reset: () => repaired.clear(),
  };
}
