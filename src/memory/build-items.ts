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
  const work = createPendingWrite();
  const saidAround = createTurnContextReader(rows);
  for (const entry of entries) await BUILDERS[entry.kind](work, entry.key, rows, saidAround);
  return toMemoryWrite(work, entries);
}

type EntryBuilder = (
  work: PendingWrite,
  key: string,
  rows: MemoryRows,
  saidAround: ReadTurnContext,
) => Promise<void>;

/** Reads an entry's sources first, then builds from them without reading again. */
const BUILDERS: Readonly<Record<OutboxEntry["kind"], EntryBuilder>> = {
  call: async (work, key, rows, saidAround) => {
    const read = await readCallSources(rows, saidAround, key);
    if (read !== undefined) buildCallItem(work, read);
  },
  message: async (work, key, rows, saidAround) => {
    const read = await readAffectedCalls(rows, saidAround, key);
    if (read !== undefined) requeueAffectedCalls(work, read);
  },
  turn: async (work, key, rows) => {
    const read = await readTurnSources(rows, key);
    if (read !== undefined) buildTurnItems(work, read);
  },
  made: async (work, key, rows) => {
    const read = await readItemEvent(rows, key);
    if (read !== undefined) applyMadeItem(work, read);
  },
  mark: async (work, key, rows) => {
    const read = await readItemEvent(rows, key);
    if (read !== undefined) applyMark(work, read);
  },
  injected: async (work, key, rows) => {
    const event = await rows.fact(key);
    if (event !== undefined) applyInjection(work, event);
  },
};
