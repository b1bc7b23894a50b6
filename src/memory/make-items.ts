import type { MemoryRows, MemoryWrite, OutboxEntry } from "../store/memory-rows.ts";
import { makeCall, noteMessage, readCall, readMessage } from "./make-call.ts";
import { makeTurn, readTurnMaterial } from "./make-turn.ts";
import { openWork, toWrite, type Work } from "./memory-work.ts";
import { readTold, takeInjected, takeMade, takeMark } from "./take-told.ts";
import { openSaidAround, type SaidAround } from "./turn-said.ts";

/** What is to be written for these entries of the outbox. Reads, one entry after the other, and writes nothing. */
export async function makeItems(rows: MemoryRows, entries: readonly OutboxEntry[]): Promise<MemoryWrite> {
  const work = openWork();
  const saidAround = openSaidAround(rows);
  for (const entry of entries) await MAKERS[entry.kind](work, entry.key, rows, saidAround);
  return toWrite(work, entries);
}

type Maker = (work: Work, key: string, rows: MemoryRows, saidAround: SaidAround) => Promise<void>;

/** What is read for an entry, and then what is made of it, without another look. */
const MAKERS: Readonly<Record<OutboxEntry["kind"], Maker>> = {
  call: async (work, key, rows, saidAround) => {
    const read = await readCall(rows, saidAround, key);
    if (read !== undefined) makeCall(work, read);
  },
  message: async (work, key, rows, saidAround) => {
    const read = await readMessage(rows, saidAround, key);
    if (read !== undefined) noteMessage(work, read);
  },
  turn: async (work, key, rows) => {
    const read = await readTurnMaterial(rows, key);
    if (read !== undefined) makeTurn(work, read);
  },
  made: async (work, key, rows) => {
    const read = await readTold(rows, key);
    if (read !== undefined) takeMade(work, read);
  },
  mark: async (work, key, rows) => {
    const read = await readTold(rows, key);
    if (read !== undefined) takeMark(work, read);
  },
  injected: async (work, key, rows) => {
    const event = await rows.fact(key);
    if (event !== undefined) takeInjected(work, event);
  },
};
