import { dirname } from "node:path";
import { fileIdentity, isSameFile } from "../../files/file-identity.ts";
import { watchFolder } from "../../files/watch-folder.ts";
import type { LogBatch, LogReader, Position } from "../log.ts";
import { findDamage, inspectLogFiles } from "./inspect-files.ts";
import { type FilePosition, parsePosition, toPosition } from "./position.ts";
import { readSegments, type SegmentBatch } from "./reader.ts";
import { type LogFiles, listSegments } from "./segments.ts";

const SWEEP_MS = 1_000;

/** Reads a file log that another process writes. It need not exist yet. */
export function openFileLogReader(path: string): LogReader {
  const files = { active: path };
  return {
    name: path,
    read: (after) => readLogFiles(files, after),
    readNewestFirst: () => readNewestFirst(files),
    watch(onChange) {
      const watch = watchFolder(dirname(path), onChange, SWEEP_MS);
      return () => watch.close();
    },
    inspect: async () => inspectLogFiles(files),
    findDamage: () => findDamage(files),
  };
}

export async function* readLogFiles(files: LogFiles, after?: Position): AsyncGenerator<LogBatch> {
  let position = after;
  for await (const segmentBatch of readSegments(files, resumePosition(files, parsePosition(after)))) {
    const batch = toBatch(files, segmentBatch);
    position = batch.next;
    yield batch;
  }
  // If the file was closed meanwhile, report the position that a rebuild would have.
  const filePosition = parsePosition(position);
  if (filePosition.identity === null || filePosition.segment >= listSegments(files).at(-1)!.number) return;
  yield { lines: [], part: filePosition.segment, next: toPosition({ ...filePosition, identity: null }) };
}

/** Where to resume, unless the file was replaced: then that segment is read again from its start. */
function resumePosition(files: LogFiles, saved: FilePosition): FilePosition {
  const active = listSegments(files).at(-1)!;
  if (saved.segment > active.number) return { segment: active.number, offset: 0, identity: null };
  if (saved.segment < active.number || saved.identity === null) return saved;
  return isSameFile(active.path, saved.identity, saved.offset) ? saved : { ...saved, offset: 0 };
}

function toBatch(files: LogFiles, { lines, segment, next }: SegmentBatch): LogBatch {
  const active = listSegments(files).at(-1)!;
  const identity = next.segment === active.number ? fileIdentity(active.path) : null;
  return { lines, part: segment, next: toPosition({ ...next, identity }) };
}

async function* readNewestFirst(files: LogFiles): AsyncGenerator<AsyncGenerator<LogBatch>> {
  const segments = listSegments(files);
  for (const { number, kind } of segments.toReversed())
    yield readOneSegment(files, number, kind === "active");
}

/** Reads one segment; the newest may be closed while it is read, and continues in the next. */
async function* readOneSegment(files: LogFiles, number: number, isNewest: boolean): AsyncGenerator<LogBatch> {
  for await (const batch of readSegments(files, { segment: number, offset: 0 })) {
    if (!isNewest && batch.segment !== number) return;
    yield toBatch(files, batch);
  }
}
