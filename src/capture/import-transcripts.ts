import { createReadStream } from "node:fs";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import type { FoundTranscript, TranscriptSource } from "../agents/transcript-source.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { fileIdentity, isSameFile } from "../files/file-identity.ts";
import type { Acceptor } from "./accept.ts";
import type { Quarantine } from "./quarantine.ts";
import type { TailPosition } from "./tail-file.ts";

export interface ImportOptions {
  readonly root: string;
  readonly source: TranscriptSource;
  readonly projectOf: ProjectOf;
  readonly acceptor: Acceptor;
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  /** Runs after each batch; resolves when views have applied it, to bound memory use. */
  readonly onBatch?: (() => Promise<void>) | undefined;
  readonly load: (path: string) => Promise<TailPosition | undefined>;
  readonly save: (path: string, position: TailPosition, lastEventIso: string | null) => Promise<void>;
  readonly quarantine: Quarantine;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
  readonly badLines: number;
}

/** Each batch costs a sync, a transaction and a check of its sessions. Either limit ends one. */
const BATCH_EVENTS = 4_000;
const BATCH_CHARS = 4 * 1024 * 1024;

/** Imports transcripts that are new or have grown since the last import. */
export async function importTranscripts(options: ImportOptions): Promise<ImportProgress> {
  const transcripts = options.source.find(options.root);
  const totalBytes = transcripts.reduce((sum, file) => sum + file.sizeBytes, 0);
  const progress = { files: 0, totalFiles: transcripts.length, bytes: 0, totalBytes, events: 0, badLines: 0 };
  options.onProgress?.({ ...progress });
  for (const file of transcripts) {
    const before = { ...progress };
    const fileProgress = await importFile(options, file, ({ bytes, events, badLines }) =>
      options.onProgress?.({
        ...before,
        bytes: before.bytes + Math.min(bytes, file.sizeBytes),
        events: before.events + events,
        badLines: before.badLines + badLines,
      }),
    );
    progress.files++;
    progress.bytes += file.sizeBytes;
    progress.events += fileProgress.events;
    progress.badLines += fileProgress.badLines;
    options.onProgress?.({ ...progress });
  }
  return progress;
}

interface FileProgress {
  readonly bytes: number;
  readonly events: number;
  readonly badLines: number;
}

async function importFile(
  options: ImportOptions,
  file: FoundTranscript,
  onProgress: (progress: FileProgress) => void,
): Promise<FileProgress> {
  const inode = fileIdentity(file.path);
  const saved = await options.load(file.path);
  const isKnown = saved !== undefined && isSameFile(file.path, saved.inode, saved.byteOffset);
  if (isKnown && saved.byteOffset >= file.sizeBytes) return { bytes: 0, events: 0, badLines: 0 };
  const translator = options.source.open(file, options.projectOf);
  const batch = openBatch(options);
  let badLines = 0;
  let offset = 0;
  for await (const [line, end] of linesOf(file.path)) {
    offset = end;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      if (isKnown && end <= saved.byteOffset) continue;
      badLines++;
      options.quarantine.put("bad", file.path, "not JSON", line);
      continue;
    }
    const newEvents = translator.translateLine(value);
    if (isKnown && end <= saved.byteOffset) {
      // Lines imported before are read again only for what later ones refer to, such as prompts.
      batch.addOld(newEvents.filter((event) => event.eventType === "turn.start"));
    } else batch.add(newEvents, line);
    if (!batch.isFull()) continue;
    await batch.write();
    onProgress({ bytes: offset, events: batch.written(), badLines });
  }
  await batch.write();
  await batch.settle();
  if (inode !== null && (!isKnown || offset > saved.byteOffset)) {
    await options.save(file.path, { inode, byteOffset: offset }, batch.lastEventIso());
  }
  return { bytes: offset, events: batch.written(), badLines };
}

interface Batch {
  add(events: readonly NewEvent[], line: string): void;
  /** Adds events that are not written again. */
  addOld(events: readonly NewEvent[]): void;
  isFull(): boolean;
  /** Starts writing what was added; resolves when the previous write is done. */
  write(): Promise<void>;
  /** Resolves when everything is written. */
  settle(): Promise<void>;
  written(): number;
  lastEventIso(): string | null;
}

/** Holds at most two batches in memory: one being written, and one being read meanwhile. */
function openBatch({ acceptor, append, onBatch }: ImportOptions): Batch {
  let pending: { readonly events: readonly NewEvent[]; readonly isOld: boolean }[] = [];
  let count = 0;
  let chars = 0;
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  const save = async (accepted: readonly HooklineEvent[]): Promise<void> => {
    await append(accepted);
    written += accepted.length;
    await onBatch?.();
  };
  let lastEventIso: string | null = null;
  const enqueue = (events: readonly NewEvent[], isOld: boolean): void => {
    if (events.length === 0) return;
    pending.push({ events, isOld });
    count += events.length;
  };
  const accept = async (): Promise<HooklineEvent[]> => {
    const batch = pending;
    [pending, count, chars] = [[], 0, 0];
    const all = batch.flatMap(({ events }) => events);
    const accepted = await acceptor.prepare(all, () =>
      batch.flatMap(({ events, isOld }) => {
        const acceptedEvents = acceptor.accept(events);
        return isOld ? [] : acceptedEvents;
      }),
    );
    acceptor.clearCache();
    return accepted;
  };
  return {
    add(events, line) {
      enqueue(events, false);
      chars += line.length;
    },
    addOld: (events) => enqueue(events, true),
    isFull: () => count >= BATCH_EVENTS || chars >= BATCH_CHARS,
    async write() {
      const events = await accept();
      lastEventIso = events.at(-1)?.occurredAtIso ?? lastEventIso;
      // Throws the error of an earlier write: nothing may be written after it.
      await writing;
      if (events.length === 0) return;
      writing = save(events);
      // The next `write` or `settle` reports it.
      writing.catch(() => undefined);
    },
    settle: () => writing,
    written: () => written,
    lastEventIso: () => lastEventIso,
  };
}

/** Yields complete lines with the offset of their end. An incomplete last line is skipped. */
async function* linesOf(path: string): AsyncGenerator<[line: string, end: number]> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a, start)) {
      const line = rest.toString("utf8", start, end);
      start = end + 1;
      if (line.trim() !== "") yield [line, offset + start];
    }
    offset += start;
    rest = rest.subarray(start);
  }
}
