import { createReadStream } from "node:fs";
import type { Agent, ProjectOf } from "../agents/agent.ts";
import { toLine } from "../event/line.ts";
import { fileIdentity } from "../log/file-identity.ts";
import type { TailPosition } from "../log/tail-file.ts";
import type { Acceptor } from "./accept.ts";
import { type FoundTranscript, findTranscripts } from "./find-transcripts.ts";
import type { Quarantine } from "./quarantine.ts";

export interface ImportOptions {
  readonly root: string;
  readonly agent: Agent;
  readonly projectOf: ProjectOf;
  readonly acceptor: Acceptor;
  readonly append: (lines: readonly string[]) => Promise<void>;
  readonly load: (path: string) => TailPosition | undefined;
  readonly save: (path: string, position: TailPosition, lastEventIso: string | null) => void;
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

const BATCH_LINES = 500;

/** Reads transcripts that are new or have grown since the last import. */
export async function importTranscripts(options: ImportOptions): Promise<ImportProgress> {
  const found = findTranscripts(options.root);
  const totalBytes = found.reduce((sum, file) => sum + file.sizeBytes, 0);
  const progress = { files: 0, totalFiles: found.length, bytes: 0, totalBytes, events: 0, badLines: 0 };
  for (const file of found) {
    const done = await importFile(options, file);
    progress.files++;
    progress.bytes += file.sizeBytes;
    progress.events += done.events;
    progress.badLines += done.badLines;
    options.onProgress?.({ ...progress });
  }
  return progress;
}

async function importFile(
  options: ImportOptions,
  file: FoundTranscript,
): Promise<{ events: number; badLines: number }> {
  const inode = fileIdentity(file.path);
  const saved = options.load(file.path);
  const isKnown = saved !== undefined && saved.inode === inode;
  if (isKnown && saved.byteOffset >= file.sizeBytes) return { events: 0, badLines: 0 };
  const translator = options.agent.openTranscript(file, options.projectOf);
  let pending: string[] = [];
  let events = 0;
  let badLines = 0;
  let offset = 0;
  let lastEventIso: string | null = null;
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
    const told = translator.line(value);
    if (isKnown && end <= saved.byteOffset) {
      // Lines that were taken before are read again only for what later ones refer to: their prompts, for one.
      options.acceptor.accept(told.filter((event) => event.eventType === "turn.start"));
      continue;
    }
    for (const event of options.acceptor.accept(told)) {
      pending.push(toLine(event));
      lastEventIso = event.occurredAtIso;
    }
    if (pending.length < BATCH_LINES) continue;
    options.acceptor.rest();
    await options.append(pending);
    events += pending.length;
    pending = [];
  }
  options.acceptor.rest();
  await options.append(pending);
  events += pending.length;
  if (inode !== null && (!isKnown || offset > saved.byteOffset)) {
    options.save(file.path, { inode, byteOffset: offset }, lastEventIso);
  }
  return { events, badLines };
}

/** Whole lines with the offset of their end. Half a line at the end of the file is not there yet. */
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
