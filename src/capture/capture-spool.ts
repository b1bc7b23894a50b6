import { unlinkSync } from "node:fs";
import type { AgentTable } from "../agents/agent-table.ts";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import {
  findSpoolFile,
  isRequestFileName,
  listSpool,
  readSpoolContent,
  type SpoolFile,
  spoolKey,
} from "../spool/read-spool.ts";
import type { Acceptor } from "./accept.ts";
import type { Quarantine } from "./quarantine.ts";
import { createSpooledRequests } from "./spooled-requests.ts";
import { createTornFiles } from "./torn-files.ts";
import {
  type CompleteTranslation,
  type SpoolTranslation,
  translateSpoolFile,
} from "./translate-spool-file.ts";

export interface SpoolCaptureOptions {
  readonly spoolDir: string;
  readonly agents: Pick<AgentTable, "translateHook" | "prompts" | "recordedEnv">;
  readonly projectOf: ProjectOf;
  readonly acceptor: Acceptor;
  /** Resolves when the events are durable. */
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly quarantine: Quarantine;
  /** Runs after each batch: views may apply it while the next one is read. */
  readonly onBatch?: ((files: number) => Promise<void>) | undefined;
  /** If true, only the current batch is finished; the rest is left for the next daemon. */
  readonly isStopping?: (() => boolean) | undefined;
  /** A monotonic clock. */
  readonly monotonicMs: () => number;
  readonly nowMs: () => number;
}

export interface DrainReport {
  readonly files: number;
  readonly events: number;
  /** Files whose hook is still writing, or was interrupted. */
  readonly incomplete: number;
  readonly torn: number;
}

/** How much of a torn file is read. */
const TORN_BYTES = 64 * 1024;
/** Each batch costs a sync, a transaction and a check of its sessions: few large batches are cheaper. */
const BATCH_FILES = 1_024;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Prepared together, with a single recall query. */
const ACCEPT_BATCH_FILES = 64;

export interface SpoolCapture {
  drain(): Promise<DrainReport>;
  /**
   * The id of the permission request that a hook spooled under that name, before or after it was captured.
   * Only for the payload that was spooled under it, because a request's name identifies nothing else.
   */
  requestId(name: string, payload: unknown): string | undefined;
}

/** Ingests the whole spool into the log. A file is removed only after its events are durable. */
export function createSpoolCapture(options: SpoolCaptureOptions): SpoolCapture {
  const { acceptor } = options;
  const requests = createSpooledRequests();
  const torn = createTornFiles(options);
  /** Ingested but not removable (a spool that became read-only): skipped by later drains. */
  const stuck = new Set<string>();
  const promptMarkers = options.agents.prompts.payloadMarkers.map((marker) => Buffer.from(marker));
  const translateOptions = { agents: options.agents, projectOf: options.projectOf, requests };
  const translate = (file: SpoolFile, content: Buffer | null): SpoolTranslation =>
    translateSpoolFile(file, content, translateOptions);

  const drainBatch = async (
    files: readonly SpoolFile[],
    readContents: ReadContents,
    report: Mutable<DrainReport>,
  ): Promise<void> => {
    const contents = readContents(files);
    const prompts = translatePrompts(files, contents, promptMarkers, translate);
    await notePrompts(acceptor, prompts);
    const batch = createAcceptBatch(acceptor);
    const finished: SpoolFile[] = [];
    // A few files at a time, so that only their accepted events outlive them.
    for (const [index, file] of files.entries()) {
      const translation = prompts.get(file) ?? translate(file, contents[index]!);
      prompts.delete(file);
      contents[index] = null;
      if (translation.type === "complete") {
        batch.add(translation.events);
        finished.push(file);
      } else if (translation.type === "incomplete" && torn.isTorn(file)) {
        quarantineTornFile(file, translation, options);
        finished.push(file);
        report.torn++;
      } else if (translation.type !== "gone") report.incomplete++;
      if (batch.waiting() >= ACCEPT_BATCH_FILES) await batch.accept();
    }
    if (batch.waiting() > 0) await batch.accept();
    acceptor.clearCache();
    await options.append(batch.events);
    for (const file of finished) if (!tryRemove(file.path)) stuck.add(spoolKey(file));
    report.files += finished.length;
    report.events += batch.events.length;
  };

  return {
    async drain() {
      const report = { files: 0, events: 0, incomplete: 0, torn: 0 };
      const files = listSpool(options.spoolDir).filter((file) => !stuck.has(spoolKey(file)));
      const readContents = createReader();
      for (const batch of inBatches(files)) {
        if (options.isStopping?.() === true) break;
        await drainBatch(batch, readContents, report);
        await options.onBatch?.(batch.length);
      }
      if (report.incomplete === 0) torn.clear();
      return report;
    },
    requestId(name, payload) {
      // A file that still exists is the one in question: its name may have been used before.
      const file = isRequestFileName(name) ? findSpoolFile(options.spoolDir, name) : undefined;
      if (file !== undefined) translate(file, null);
      return requests.find(name, payload);
    },
  };
}

/** The files that may hold prompts, translated first. */
function translatePrompts(
  files: readonly SpoolFile[],
  contents: readonly (Buffer | null)[],
  promptMarkers: readonly Buffer[],
  translate: (file: SpoolFile, content: Buffer) => SpoolTranslation,
): Map<SpoolFile, CompleteTranslation> {
  const prompts = new Map<SpoolFile, CompleteTranslation>();
  for (const [index, file] of files.entries()) {
    const content = contents[index]!;
    if (content === null || !promptMarkers.some((marker) => content.includes(marker))) continue;
    const translation = translate(file, content);
    if (translation.type === "complete") prompts.set(file, translation);
  }
  return prompts;
}

/** Files of one instant may be in any order: prompts go first, because one may hide the others. */
async function notePrompts(
  acceptor: Acceptor,
  prompts: ReadonlyMap<SpoolFile, CompleteTranslation>,
): Promise<void> {
  const eventsByFile = [...prompts.values()].map(({ events }) => events);
  if (eventsByFile.length > 0)
    await acceptor.prepare(eventsByFile.flat(), () => eventsByFile.forEach(acceptor.notePrivatePrompts));
}

interface AcceptBatch {
  readonly events: readonly HooklineEvent[];
  /** Adds the events of one file, to be accepted with others. */
  add(events: readonly NewEvent[]): void;
  waiting(): number;
  accept(): Promise<void>;
}

function createAcceptBatch(acceptor: Acceptor): AcceptBatch {
  const events: HooklineEvent[] = [];
  let pending: (readonly NewEvent[])[] = [];
  return {
    events,
    add: (fileEvents) => void pending.push(fileEvents),
    waiting: () => pending.length,
    async accept() {
      const batch = pending;
      pending = [];
      await acceptor.prepare(batch.flat(), () => {
        for (const fileEvents of batch) events.push(...acceptor.accept(fileEvents));
      });
    },
  };
}

/** Even half a payload may name its folder: a pause or an exclusion applies to it too. */
function quarantineTornFile(
  file: SpoolFile,
  torn: { readonly content: Buffer; readonly reason: string },
  { acceptor, projectOf, quarantine }: SpoolCaptureOptions,
): void {
  const content = torn.content.toString("utf8", 0, TORN_BYTES);
  const cwd = /"cwd":"((?:[^"\\]|\\.)*)"/.exec(content)?.[1] ?? null;
  const occurredAtIso = new Date(Number(file.timeNs / 1_000_000n)).toISOString();
  if (!acceptor.mayRecord({ cwd, projectPath: projectOf(cwd), occurredAtIso })) return;
  quarantine.put("torn", `spool/${file.name}`, torn.reason, content);
}

type ReadContents = (files: readonly SpoolFile[]) => (Buffer | null)[];

/** Reads batches into one shared buffer: separate buffers would pile up until a full garbage collection. */
function createReader(): ReadContents {
  let shared = Buffer.alloc(0);
  return (files) => {
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    // A batch exceeds this only if it is a single file.
    if (bytes > BATCH_BYTES) return files.map((file) => tryReadContent(file));
    if (shared.length < bytes) shared = Buffer.allocUnsafe(bytes);
    let used = 0;
    return files.map((file) => {
      const buffer = shared.subarray(used, used + file.sizeBytes);
      used += file.sizeBytes;
      return tryReadContent(file, buffer);
    });
  };
}

/** Null if it cannot be read: translating the file reports why. */
function tryReadContent(file: SpoolFile, buffer?: Buffer): Buffer | null {
  try {
    return readSpoolContent(file, buffer);
  } catch {
    return null;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function* inBatches(files: readonly SpoolFile[]): Generator<SpoolFile[]> {
  let batch: SpoolFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length > 0 && (batch.length >= BATCH_FILES || bytes + file.sizeBytes > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.sizeBytes;
  }
  if (batch.length > 0) yield batch;
}

/** Returns false if the file is still there. */
function tryRemove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
