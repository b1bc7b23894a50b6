import type { MemoryRows, MemoryWrite, OutboxEntry } from "../store/memory-rows.ts";
import { applyInjection, applyMadeItem, applyMark, readItemEvent } from "./apply-memory-events.ts";
import {
  buildCallItem,
  readAffectedCalls,
  readCallSources,
  requeueAffectedCalls,
} from "./build-call-item.ts";
import { buildTurnItems, readTurnSources } from "./build-turn-items.ts";
import { createPendingWrite, type PendingWrite, toMemoryWrite } from "./pending-write.ts";
import { createTurnContextReader, type ReadTurnContext } from "./turn-context.ts";

/** Computes what to write for these outbox entries. Reads one entry after the other and writes nothing. */
export async function buildItems(rows: MemoryRows, entries: readonly OutboxEntry[]): Promise<MemoryWrite> {
  const pending = createPendingWrite();
  const readTurnContext = createTurnContextReader(rows);
  for (const entry of entries) await BUILDERS[entry.kind](pending, entry.key, rows, readTurnContext);
  return toMemoryWrite(pending, entries);
}

type EntryBuilder = (
  pending: PendingWrite,
  key: string,
  rows: MemoryRows,
  readTurnContext: ReadTurnContext,
) => Promise<void>;

/** Reads an entry's sources first, then builds from them without reading again. */
const BUILDERS: Readonly<Record<OutboxEntry["kind"], EntryBuilder>> = {
  call: async (pending, key, rows, readTurnContext) => {
    const read = await readCallSources(rows, readTurnContext, key);
    if (read !== undefined) buildCallItem(pending, read);
  },
  message: async (pending, key, rows, readTurnContext) => {
    const read = await readAffectedCalls(rows, readTurnContext, key);
    if (read !== undefined) requeueAffectedCalls(pending, read);
  },
  turn: async (pending, key, rows) => {
    const read = await readTurnSources(rows, key);
    if (read !== undefined) buildTurnItems(pending, read);
  },
  made: async (pending, key, rows) => {
    const read = await readItemEvent(rows, key);
    if (read !== undefined) applyMadeItem(pending, read);
  },
  mark: async (pending, key, rows) => {
    const read = await readItemEvent(rows, key);
    if (read !== undefined) applyMark(pending, read);
  },
  injected: async (pending, key, rows) => {
    const event = await rows.fact(key);
    if (event !== undefined) applyInjection(pending, event);
  },
};
