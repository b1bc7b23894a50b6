import { unlinkSync } from "node:fs";
import type { AgentTable } from "../agents/agent-table.ts";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import {
  findSpoolFile,
  isHookName,
  listSpool,
  readContent,
  type SpoolFile,
  spoolKey,
} from "../spool/read-spool.ts";
import type { Acceptor } from "./accept.ts";
import type { Quarantine } from "./quarantine.ts";
import { createSpooledRequests } from "./spooled-requests.ts";
import { type Taken, type TakenWhole, takeSpoolFile } from "./take-spool-file.ts";
import { createTornFiles } from "./torn-files.ts";

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
  /** Nothing more is to be taken than what was begun: the rest is for the next daemon. */
  readonly isEnding?: (() => boolean) | undefined;
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

/** Takes all that lies in the spool into the log. A file goes only after its events are safe. */
export function createSpoolCapture(options: SpoolCaptureOptions): SpoolCapture {
  const { acceptor } = options;
  const requests = createSpooledRequests();
  const torn = createTornFiles(options);
  /** Taken, but not ours to remove (a spool that turned read-only): not to be taken again at every look. */
  const stuck = new Set<string>();
  const marks = options.agents.prompts.marks.map((mark) => Buffer.from(mark));
  const takeOptions = { agents: options.agents, projectOf: options.projectOf, requests };
  const take = (file: SpoolFile, content: Buffer | null): Taken => takeSpoolFile(file, content, takeOptions);

  const drainBatch = async (files: readonly SpoolFile[], report: Mutable<DrainReport>): Promise<void> => {
    const contents = files.map(readQuietly);
    const prompts = takePrompts(files, contents, marks, take);
    await learnPrompts(acceptor, prompts);
    const accepting = createAccepting(acceptor);
    const done: SpoolFile[] = [];
    // Some files at a time, so that nothing but what is kept of them outlives them.
    for (const [index, file] of files.entries()) {
      const taken = prompts.get(file) ?? take(file, contents[index]!);
      prompts.delete(file);
      contents[index] = null;
      if (taken.type === "complete") {
        accepting.add(taken.events);
        done.push(file);
      } else if (taken.type === "incomplete" && torn.isTorn(file)) {
        setAside(file, taken, options);
        done.push(file);
        report.torn++;
      } else if (taken.type !== "gone") report.incomplete++;
      if (accepting.waiting() >= ACCEPTED_FILES) await accepting.accept();
    }
    if (accepting.waiting() > 0) await accepting.accept();
    acceptor.rest();
    await options.append(accepting.events);
    for (const file of done) if (!remove(file.path)) stuck.add(spoolKey(file));
    report.files += done.length;
    report.events += accepting.events.length;
  };

  return {
    async drain() {
      const report = { files: 0, events: 0, incomplete: 0, torn: 0 };
      const files = listSpool(options.spoolDir).filter((file) => !stuck.has(spoolKey(file)));
      for (const batch of inBatches(files)) {
        if (options.isEnding?.() === true) break;
        await drainBatch(batch, report);
        await options.onTaken?.(batch.length);
      }
      if (report.incomplete === 0) torn.clear();
      return report;
    },
    requestId(name, payload) {
      // A file that is still there is the one that is meant: its name may have been used before.
      const file = isHookName(name) ? findSpoolFile(options.spoolDir, name) : undefined;
      if (file !== undefined) take(file, null);
      return requests.find(name, payload);
    },
  };
}

/** The files that may hold prompts, taken first. */
function takePrompts(
  files: readonly SpoolFile[],
  contents: readonly (Buffer | null)[],
  marks: readonly Buffer[],
  take: (file: SpoolFile, content: Buffer) => Taken,
): Map<SpoolFile, TakenWhole> {
  const prompts = new Map<SpoolFile, TakenWhole>();
  for (const [index, file] of files.entries()) {
    const content = contents[index]!;
    if (content === null || !marks.some((mark) => content.includes(mark))) continue;
    const taken = take(file, content);
    if (taken.type === "complete") prompts.set(file, taken);
  }
  return prompts;
}

/** What came in one instant may lie in any order: prompts are looked at first, for one may hide the others. */
async function learnPrompts(acceptor: Acceptor, prompts: ReadonlyMap<SpoolFile, TakenWhole>): Promise<void> {
  const told = [...prompts.values()].map(({ events }) => events);
  if (told.length > 0) await acceptor.prepare(told.flat(), () => told.forEach(acceptor.learn));
}

interface Accepting {
  readonly events: readonly HooklineEvent[];
  /** What one file tells, to be accepted with others. */
  add(told: readonly NewEvent[]): void;
  waiting(): number;
  accept(): Promise<void>;
}

function createAccepting(acceptor: Acceptor): Accepting {
  const events: HooklineEvent[] = [];
  let told: (readonly NewEvent[])[] = [];
  return {
    events,
    add: (each) => void told.push(each),
    waiting: () => told.length,
    async accept() {
      const those = told;
      told = [];
      await acceptor.prepare(those.flat(), () => {
        for (const each of those) events.push(...acceptor.accept(each));
      });
    },
  };
}

/** Half a payload still tells where it came from, if it tells that far: a pause or an exclusion holds for it too. */
function setAside(
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

/** Null when it cannot be read: whoever takes the file says why. */
function readQuietly(file: SpoolFile): Buffer | null {
  try {
    return readContent(file);
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

/** False when it is still there. */
function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
