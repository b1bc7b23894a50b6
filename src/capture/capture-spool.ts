import { createHash } from "node:crypto";
import { unlinkSync } from "node:fs";
import type { AgentTable } from "../agents/agent-table.ts";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import { canonicalJson } from "../event/canonical.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import {
  findSpoolFile,
  isHookName,
  listSpool,
  parseSpoolFile,
  readContent,
  readSpoolFile,
  type SpoolFile,
  type SpoolRead,
} from "../spool/read-spool.ts";
import type { Acceptor } from "./accept.ts";
import type { Quarantine } from "./quarantine.ts";

export interface SpoolCaptureOptions {
  readonly spoolDir: string;
  readonly agents: Pick<AgentTable, "translateHook" | "prompts" | "recordedEnv">;
  readonly projectOf: ProjectOf;
  readonly acceptor: Acceptor;
  /** Returns when the events are safe on the disk. */
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly quarantine: Quarantine;
  /** After each batch: views may take it while the next is read. */
  readonly onTaken?: ((files: number) => Promise<void>) | undefined;
  /** Milliseconds that only go forward. */
  readonly monotonicMs: () => number;
  readonly nowMs: () => number;
}

export interface DrainReport {
  readonly files: number;
  readonly events: number;
  /** Files whose hook is still writing, or was cut off. */
  readonly incomplete: number;
  readonly torn: number;
}

/** A file that does not parse after this long never will. */
const TORN_MS = 60_000;
/** A machine that slept, or a clock that leapt, makes a file old while its hook still writes: it has this long. */
const GRACE_MS = 2_000;
const ABANDONED_MS = 24 * 3_600_000;
/** As much of a torn file as is looked at. */
const TORN_BYTES = 64 * 1024;
/** Each batch costs a sync, a transaction and a look at the sessions it is of: few large ones cost less. */
const BATCH_FILES = 1_024;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Prepared together: what is known of them is one question. */
const ACCEPTED_FILES = 256;

export interface SpoolCapture {
  drain(): Promise<DrainReport>;
  /**
   * The id of the permission request that a hook spooled under that name, before or after it was captured. Only for the
   * payload that it spooled: under the name of a request nothing else is asked.
   */
  requestId(name: string, payload: unknown): string | undefined;
}

/** Requests of the last minutes, whose hooks may still be about to ask. */
const MAX_REQUESTS = 1_000;

/** Takes all that lies in the spool into the log. A file goes only after its events are safe. */
export function createSpoolCapture(options: SpoolCaptureOptions): SpoolCapture {
  const { acceptor } = options;
  const { recordedEnv } = options.agents;
  const requests = new Map<string, { readonly id: string; readonly payload: string }>();
  const firstSeen = new Map<string, number>();
  /** Taken, but not ours to remove (a spool that turned read-only): not to be taken again at every look. */
  const stuck = new Set<string>();

  const isTorn = (file: SpoolFile): boolean => {
    const key = keyOf(file);
    const seen = firstSeen.get(key) ?? options.monotonicMs();
    firstSeen.set(key, seen);
    const watchedMs = options.monotonicMs() - seen;
    // The file's own age for one left by an earlier run, our own clock for one whose time lies in the future.
    const ageMs = options.nowMs() - Number(file.timeNs / 1_000_000n);
    return watchedMs > TORN_MS || (ageMs > TORN_MS && watchedMs > GRACE_MS) || ageMs > ABANDONED_MS;
  };

  /** Half a payload still tells where it came from, if it tells that far: a pause or an exclusion holds for it too. */
  const setAside = (file: SpoolFile, content: string, reason: string): void => {
    const cwd = /"cwd":"((?:[^"\\]|\\.)*)"/.exec(content)?.[1] ?? null;
    const occurredAtIso = new Date(Number(file.timeNs / 1_000_000n)).toISOString();
    if (!acceptor.mayRecord({ cwd, projectPath: options.projectOf(cwd), occurredAtIso })) return;
    options.quarantine.put("torn", `spool/${file.name}`, reason, content);
  };

  const take = (file: SpoolFile, content: Buffer | null): Taken => {
    try {
      const read =
        content === null ? readSpoolFile(file, recordedEnv) : parseSpoolFile(file, content, recordedEnv);
      if (read.type !== "complete") return read;
      const events = options.agents.translateHook(read.delivery, options.projectOf);
      rememberRequest(file.name, events, read.delivery.payload);
      return { type: "complete", events };
    } catch (error) {
      // The file may be readable later.
      if (isPassing(error)) return { type: "unreadable" };
      // Nobody can make sense of it (too large for one string): it holds up no other.
      return { type: "incomplete", content: Buffer.alloc(0), reason: String(error) };
    }
  };

  const rememberRequest = (name: string, events: readonly NewEvent[], payload: unknown): void => {
    const request = events.find(
      ({ eventType, phase }) => eventType === "permission" && phase === "requested",
    );
    if (request === undefined) return;
    const [oldest] = requests.keys();
    if (requests.size >= MAX_REQUESTS && oldest !== undefined) requests.delete(oldest);
    requests.delete(name);
    const digest = digestOf(payload);
    if (digest !== null) requests.set(name, { id: request.id, payload: digest });
  };

  const marks = options.agents.prompts.marks.map((mark) => Buffer.from(mark));
  const mayBePrompt = (content: Buffer): boolean => marks.some((mark) => content.includes(mark));

  /** What came in one instant may lie in any order: prompts are looked at first, for one may hide the others. */
  const learnPrompts = async (
    files: readonly SpoolFile[],
    contents: readonly (Buffer | null)[],
  ): Promise<Map<SpoolFile, Taken>> => {
    const prompts = new Map<SpoolFile, Complete>();
    for (const [index, file] of files.entries()) {
      const content = contents[index]!;
      if (content === null || !mayBePrompt(content)) continue;
      const taken = take(file, content);
      if (taken.type === "complete") prompts.set(file, taken);
    }
    const told = [...prompts.values()].map(({ events }) => events);
    if (told.length > 0) await acceptor.prepare(told.flat(), () => told.forEach(acceptor.learn));
    return prompts;
  };

  const drainBatch = async (files: readonly SpoolFile[], report: Mutable<DrainReport>): Promise<void> => {
    const contents = files.map(readQuietly);
    const prompts = await learnPrompts(files, contents);
    const events: HooklineEvent[] = [];
    const done: SpoolFile[] = [];
    let told: (readonly NewEvent[])[] = [];
    const accept = async (): Promise<void> => {
      const those = told;
      told = [];
      await acceptor.prepare(those.flat(), () => {
        for (const each of those) events.push(...acceptor.accept(each));
      });
    };
    // Some files at a time, so that nothing but what is kept of them outlives them.
    for (const [index, file] of files.entries()) {
      const taken = prompts.get(file) ?? take(file, contents[index]!);
      prompts.delete(file);
      contents[index] = null;
      if (taken.type === "complete") {
        told.push(taken.events);
        done.push(file);
      } else if (taken.type === "incomplete" && isTorn(file)) {
        setAside(file, taken.content.toString("utf8", 0, TORN_BYTES), taken.reason);
        done.push(file);
        report.torn++;
      } else if (taken.type !== "gone") report.incomplete++;
      if (told.length >= ACCEPTED_FILES) await accept();
    }
    if (told.length > 0) await accept();
    acceptor.rest();
    await options.append(events);
    for (const file of done) if (!remove(file.path)) stuck.add(keyOf(file));
    report.files += done.length;
    report.events += events.length;
  };

  return {
    async drain() {
      const report = { files: 0, events: 0, incomplete: 0, torn: 0 };
      const files = listSpool(options.spoolDir).filter((file) => !stuck.has(keyOf(file)));
      for (const batch of inBatches(files)) {
        await drainBatch(batch, report);
        await options.onTaken?.(batch.length);
      }
      if (report.incomplete === 0) firstSeen.clear();
      return report;
    },
    requestId(name, payload) {
      // A file that is still there is the one that is meant: its name may have been used before.
      const file = isHookName(name) ? findSpoolFile(options.spoolDir, name) : undefined;
      if (file !== undefined) take(file, null);
      const spooled = requests.get(name);
      return spooled !== undefined && spooled.payload === digestOf(payload) ? spooled.id : undefined;
    },
  };
}

/** Null of what is nested too deep to be written as JSON. */
function digestOf(payload: unknown): string | null {
  try {
    return createHash("sha256").update(canonicalJson(payload)).digest("base64");
  } catch {
    return null;
  }
}

/** Null when it cannot be read: whoever takes the file says why. */
function readQuietly(file: SpoolFile): Buffer | null {
  try {
    return readContent(file);
  } catch {
    return null;
  }
}

interface Complete {
  readonly type: "complete";
  readonly events: readonly NewEvent[];
}

type Taken = Exclude<SpoolRead, { type: "complete" }> | Complete | { readonly type: "unreadable" };

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

/** False when it is still there. */
function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Trouble of the machine, not of what was read. */
function isPassing(error: unknown): boolean {
  return typeof (error as { errno?: unknown }).errno === "number";
}

function keyOf(file: SpoolFile): string {
  return `${file.name} ${file.timeNs}`;
}
