import type { LogBatch, Position } from "../log.ts";
import { readFiles } from "./file-log-reader.ts";
import type { RecentBatches } from "./recent-batches.ts";
import type { LogFiles } from "./segments.ts";

/** What is still in memory at a position, else what the files say; the end of one may be the start of the other. */
export async function* readLive(
  files: LogFiles,
  recent: RecentBatches,
  after: Position | undefined,
): AsyncGenerator<LogBatch> {
  let position = after;
  for (;;) {
    for (let held = recent.take(position); held !== undefined; held = recent.take(position)) {
      position = held.next;
      yield held;
    }
    let wasRead = false;
    for await (const batch of readFiles(files, position)) {
      position = batch.next;
      wasRead = true;
      yield batch;
      // What was appended meanwhile need not be read and parsed.
      const held = recent.take(position);
      if (held === undefined) continue;
      position = held.next;
      yield held;
      break;
    }
    if (!wasRead) return;
  }
}
