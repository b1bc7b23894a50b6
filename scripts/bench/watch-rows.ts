import { setTimeout as sleep } from "node:timers/promises";
import { factId } from "../../src/event/ids.ts";
import type { BenchHome } from "./bench-home.ts";

export interface RowWatch {
  /** Resolves when the start of this call is in `events`. */
  untilStarted(toolUseId: string): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 20_000;

/** Polls the database from outside, as any reader would, about once a millisecond. */
export function watchRows(place: BenchHome): RowWatch {
  const db = place.openDatabase();
  const find = db.prepare("SELECT 1 FROM events WHERE id = ?");
  return {
    async untilStarted(toolUseId) {
      const id = factId("tool", toolUseId, "start");
      for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; await sleep(1)) {
        if (find.get(id) !== undefined) return;
      }
      throw new Error(`the event of ${toolUseId} is not in the database after ${TIMEOUT_MS / 1_000} s`);
    },
    close: () => db.close(),
  };
}
