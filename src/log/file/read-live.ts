import type { LogBatch, Position } from "../log.ts";
import { readLogFiles } from "./file-log-reader.ts";
import type { RecentBatches } from "./recent-batches.ts";
import type { LogFiles } from "./segments.ts";

/** Reads recent batches from memory and others from the files, alternating as needed. */
export async function* readLive(
  files: LogFiles,
  recent: RecentBatches,
  after: Position | undefined,
): AsyncGenerator<LogBatch> {
  let position = after;
  for (;;) {
    let wasInMemory = false;
    for (let held = recent.consume(position); held !== undefined; held = recent.consume(position)) {
      position = held.next;
      wasInMemory = true;
      yield held;
    }
    // The files have nothing more. Skipping them matters when events arrive one by one.
    if (wasInMemory && recent.isLast(position!)) return;
    let wasRead = false;
    for await (const batch of readLogFiles(files, position)) {
      position = batch.next;
      wasRead = true;
      yield batch;
      // Events appended meanwhile need not be read and parsed.
      const held = recent.consume(position);
      if (held === undefined) continue;
      position = held.next;
      yield held;
      break;
    }
    if (!wasRead) return;
  }
}
