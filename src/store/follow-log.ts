import { fileIdentity, isSameFile } from "../log/file-identity.ts";
import { type LogBatch, readLog } from "../log/reader.ts";
import { type LogFiles, type LogPosition, listSegments } from "../log/segments.ts";
import type { ApplyResult, Store } from "./store.ts";

interface FollowReport {
  readonly events: number;
  readonly lastEventIso: string | null;
}

/** Takes everything the log has and the store has not. Ends when it has caught up. */
export async function catchUp(
  log: LogFiles,
  store: Store,
  onApplied: (result: ApplyResult, batch: LogBatch) => void = () => undefined,
  from: LogPosition = startOf(log, store),
  fresh: (position: LogPosition) => LogBatch | undefined = () => undefined,
): Promise<FollowReport> {
  let events = 0;
  let lastEventIso: string | null = null;
  for await (const batch of freshOrRead(log, from, fresh)) {
    const active = listSegments(log).at(-1)!;
    const identity = batch.next.segment === active.number ? fileIdentity(active.path) : null;
    const result = store.apply(batch, identity);
    events += result.events;
    lastEventIso = result.lastEventIso ?? lastEventIso;
    onApplied(result, batch);
  }
  leaveClosed(log, store);
  return { events, lastEventIso };
}

/** What the writer still holds at a position, else what the files say; the end of one may be the start of the other. */
async function* freshOrRead(
  log: LogFiles,
  from: LogPosition,
  fresh: (position: LogPosition) => LogBatch | undefined,
): AsyncGenerator<LogBatch> {
  let position = from;
  for (;;) {
    for (let held = fresh(position); held !== undefined; held = fresh(position)) {
      position = held.next;
      yield held;
    }
    let wasRead = false;
    for await (const batch of readLog(log, position)) {
      position = batch.next;
      wasRead = true;
      yield batch;
      // What was appended meanwhile need not be read and parsed.
      const held = fresh(position);
      if (held === undefined) continue;
      position = held.next;
      yield held;
      break;
    }
    if (!wasRead) return;
  }
}

/** A position at the end of a segment that was closed since names no file: as it would after a rebuild. */
function leaveClosed(log: LogFiles, store: Store): void {
  const { identity, ...position } = store.position();
  if (identity === null || position.segment >= listSegments(log).at(-1)!.number) return;
  store.apply({ lines: [], segment: position.segment, next: position }, null);
}

/** The saved position, unless the file it belongs to is another one now: then that segment is read again whole. */
function startOf(log: LogFiles, store: Store): LogPosition {
  const saved = store.position();
  const active = listSegments(log).at(-1)!;
  if (saved.segment > active.number) return { segment: active.number, offset: 0 };
  if (saved.segment < active.number || saved.identity === null) return saved;
  const isSame = isSameFile(active.path, saved.identity, saved.offset);
  return isSame ? saved : { segment: saved.segment, offset: 0 };
}
