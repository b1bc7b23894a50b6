import { unlinkSync } from "node:fs";
import type { Agent, ProjectOf } from "../agents/agent.ts";
import { toLine } from "../event/line.ts";
import { listSpool, readSpoolFile, type SpoolFile } from "../spool/read-spool.ts";
import type { Acceptor } from "./accept.ts";
import type { Quarantine } from "./quarantine.ts";

export interface SpoolCaptureOptions {
  readonly spoolDir: string;
  readonly agent: Agent;
  readonly projectOf: ProjectOf;
  readonly acceptor: Acceptor;
  /** Returns when the lines are safe on the disk. */
  readonly append: (lines: readonly string[]) => Promise<void>;
  readonly quarantine: Quarantine;
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
const BATCH_FILES = 256;
const BATCH_BYTES = 8 * 1024 * 1024;

/** Takes all that lies in the spool into the log. A file goes only after its events are safe. */
export function createSpoolCapture(options: SpoolCaptureOptions): { drain(): Promise<DrainReport> } {
  const firstSeen = new Map<string, number>();

  const isTorn = (file: SpoolFile): boolean => {
    const key = `${file.name} ${file.timeNs}`;
    const seen = firstSeen.get(key);
    if (seen === undefined) firstSeen.set(key, options.monotonicMs());
    // The file's own age for one left by an earlier run; our own clock for one whose time lies in the future.
    const ageMs = options.nowMs() - Number(file.timeNs / 1_000_000n);
    return ageMs > TORN_MS || (seen !== undefined && options.monotonicMs() - seen > TORN_MS);
  };

  /** Half a payload still tells where it came from, if it tells that far: a pause or an exclusion holds for it too. */
  const setAside = (file: SpoolFile, content: string, reason: string): void => {
    const cwd = /"cwd":"((?:[^"\\]|\\.)*)"/.exec(content)?.[1] ?? null;
    const occurredAtIso = new Date(Number(file.timeNs / 1_000_000n)).toISOString();
    if (!options.acceptor.mayRecord({ cwd, projectPath: options.projectOf(cwd), occurredAtIso })) return;
    options.quarantine.put("torn", `spool/${file.name}`, reason, content);
  };

  const drainBatch = async (files: readonly SpoolFile[], report: Mutable<DrainReport>): Promise<void> => {
    const lines: string[] = [];
    const done: string[] = [];
    for (const file of files) {
      const read = readSpoolFile(file);
      if (read.type === "complete") {
        const events = options.acceptor.accept(options.agent.translateHook(read.delivery, options.projectOf));
        for (const event of events) lines.push(toLine(event));
        done.push(file.path);
      } else if (read.type === "incomplete") {
        if (isTorn(file)) {
          setAside(file, read.content.toString("utf8"), read.reason);
          done.push(file.path);
          report.torn++;
        } else report.incomplete++;
      }
    }
    await options.append(lines);
    for (const path of done) remove(path);
    report.files += done.length;
    report.events += lines.length;
  };

  return {
    async drain() {
      const report = { files: 0, events: 0, incomplete: 0, torn: 0 };
      for (const batch of inBatches(listSpool(options.spoolDir))) await drainBatch(batch, report);
      if (report.incomplete === 0) firstSeen.clear();
      return report;
    },
  };
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

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // Somebody else removed it; or we may not: then it is read again, and is the same event again.
    if (
      (error as NodeJS.ErrnoException).code !== "ENOENT" &&
      (error as NodeJS.ErrnoException).code !== "EACCES"
    )
      throw error;
  }
}
