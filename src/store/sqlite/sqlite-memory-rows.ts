import type { MemoryRows } from "../memory-rows.ts";
import type { Database } from "./database.ts";
import { memoryFactRows } from "./memory-fact-rows.ts";
import { memoryItemRows } from "./memory-item-rows.ts";
import { isStampCurrent, readOutbox } from "./memory-outbox.ts";
import { memorySessionRows } from "./memory-session-rows.ts";
import { writeMemory } from "./write-memory.ts";

/** Asynchronous in name only: each call runs to completion, with nothing in between. */
export function sqliteMemoryRows(db: Database): MemoryRows {
  return {
    ...memoryFactRows(db),
    ...memoryItemRows(db),
    ...memorySessionRows(db),
    outbox: async (limit) => readOutbox(db, limit),
    outboxSize: async () => Number(db.sql("SELECT count(*) AS n FROM memory_outbox").get()?.["n"]),
    write: async (write, stamp) =>
      db.transaction(() => {
        if (!isStampCurrent(db, stamp)) return false;
        writeMemory(db, write);
        return true;
      }),
  };
}
