import { statSync } from "node:fs";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import type { TranscriptSource, TranscriptTranslator } from "../agents/transcript-source.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { isSameFile } from "../files/file-identity.ts";
import type { Acceptor } from "./accept.ts";
import type { Quarantine } from "./quarantine.ts";
import { type TailPosition, tailFile } from "./tail-file.ts";

export interface TranscriptPorts {
  readonly source: TranscriptSource;
  readonly projectOf: ProjectOf;
  /** Resolves when the events are durable. */
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly load: (path: string) => Promise<TailPosition | undefined>;
  readonly save: (path: string, position: TailPosition, lastEventIso: string | null) => Promise<void>;
  readonly quarantine: Quarantine;
}

export interface CapturedPart {
  readonly events: number;
  readonly hasMore: boolean;
}

export interface FollowedTranscript {
  readonly path: string;
  /** Ingests the next complete lines, one part of a big file at a time. A throw retries the same part. */
  captureNext(): Promise<CapturedPart>;
  /** Whether there is something to read, judged by the file's size alone. */
  isBehind(): boolean;
}

/** Read and translated, but not yet durable: the translator must not see these lines twice. */
interface PendingPart {
  /** The events of each line. */
  readonly told: readonly (readonly NewEvent[])[];
  /** These lines are already in the log. */
  readonly isOld: boolean;
  /** The loggable events, once known. */
  events: readonly HooklineEvent[] | null;
  isLogged: boolean;
  readonly bad: readonly string[];
  readonly position: TailPosition;
}

const PART_BYTES = 256 * 1024;
const NOTHING: CapturedPart = { events: 0, hasMore: false };
const MORE: CapturedPart = { events: 0, hasMore: true };

/**
 * Follows one transcript while its session runs. The translator is retained, so that only appended lines are
 * read; lines that are already in the log (from an earlier run, or a concurrent import) only feed its state.
 */
export function followTranscript(
  path: string,
  acceptor: Acceptor,
  ports: TranscriptPorts,
): FollowedTranscript {
  let translator: TranscriptTranslator | null = null;
  let at: TailPosition | undefined;
  /** How much of this file is in the log. */
  let logged: TailPosition | undefined;
  let owed: PendingPart | null = null;

  /** An import may be ahead of us, but never behind. */
  const lookUp = async (): Promise<void> => {
    const saved = await ports.load(path);
    if (saved === undefined || saved.byteOffset <= loggedOf(saved.inode)) return;
    if (isSameFile(path, saved.inode, saved.byteOffset)) logged = saved;
  };
  const loggedOf = (inode: string): number => (logged?.inode === inode ? logged.byteOffset : 0);

  const beginAgain = async (inode: string): Promise<void> => {
    // A truncated file keeps its identity: the saved position would hide its new lines.
    if (inode === at?.inode) await ports.save(path, { inode, byteOffset: 0 }, null);
    translator = null;
    at = undefined;
    logged = undefined;
  };

  const accept = async ({ told }: PendingPart): Promise<HooklineEvent[]> => {
    const events = await acceptor.prepare(told.flat(), () => told.flatMap(acceptor.accept));
    acceptor.clearCache();
    return events;
  };

  const settle = async (due: PendingPart): Promise<CapturedPart> => {
    const events = due.events ?? (await accept(due));
    due.events = events;
    if (due.isOld) {
      owed = null;
      return MORE;
    }
    if (events.length > 0 && !due.isLogged) await ports.append(events);
    due.isLogged = true;
    for (const line of due.bad) ports.quarantine.put("bad", path, "not JSON", line);
    // Saved after the log: if killed in between, the lines are read again and yield the same events.
    await ports.save(path, due.position, events.at(-1)?.occurredAtIso ?? null);
    logged = due.position;
    owed = null;
    return { events: events.length, hasMore: true };
  };

  return {
    path,
    isBehind() {
      if (owed !== null) return true;
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (found === undefined || at === undefined) return found !== undefined;
      return Number(found.size) !== at.byteOffset || !at.inode.startsWith(`${found.ino}-`);
    },
    async captureNext() {
      if (owed !== null) return settle(owed);
      await lookUp();
      // A part ends where the log ends, so that each is either old or new as a whole.
      const old = (logged?.byteOffset ?? 0) - (at?.byteOffset ?? 0);
      const read = tailFile(path, at, old > 0 ? Math.min(PART_BYTES, old) : PART_BYTES);
      if (read === null) return NOTHING;
      if (read.isReplaced) {
        await beginAgain(read.next.inode);
        return MORE;
      }
      if (read.lines.length === 0) return NOTHING;
      const isOld = read.next.byteOffset <= loggedOf(read.next.inode);
      translator ??= ports.source.open(ports.source.describe(path), ports.projectOf);
      const due = translate(translator, read.lines, isOld);
      at = read.next;
      owed = { ...due, isOld, events: null, isLogged: false, position: read.next };
      return settle(owed);
    },
  };
}

/** Of lines already in the log, only prompts are returned again: they determine what is private. */
function translate(
  translator: TranscriptTranslator,
  lines: readonly string[],
  isOld: boolean,
): Pick<PendingPart, "told" | "bad"> {
  const told: (readonly NewEvent[])[] = [];
  const bad: string[] = [];
  for (const line of lines) {
    if (line.trim() === "") continue;
    const value = parse(line);
    if (value === undefined) bad.push(line);
    else if (isOld)
      told.push(translator.translateLine(value).filter((event) => event.eventType === "turn.start"));
    else told.push(translator.translateLine(value));
  }
  return { told, bad };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
