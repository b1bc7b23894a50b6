import type { MemoryRows, MemoryWrite, OutboxEntry } from "../store/memory-rows.ts";
import { makeCall, noteMessage } from "./make-call.ts";
import { makeTurn } from "./make-turn.ts";
import { openWork, toWrite, type Work } from "./memory-work.ts";
import { takeInjected, takeMade, takeMark } from "./take-told.ts";

/** What is to be written for these entries of the outbox. Reads facts, writes nothing. */
export function makeItems(rows: MemoryRows, entries: readonly OutboxEntry[]): MemoryWrite {
  const work = openWork(rows);
  for (const entry of entries) MAKERS[entry.kind](work, entry.key);
  return toWrite(work, entries);
}

const MAKERS: Readonly<Record<OutboxEntry["kind"], (work: Work, key: string) => void>> = {
  call: makeCall,
  message: noteMessage,
  turn: makeTurn,
  made: takeMade,
  mark: takeMark,
  injected: takeInjected,
};
