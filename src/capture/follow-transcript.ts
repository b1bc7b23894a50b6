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
  readonly eventsByLine: readonly (readonly NewEvent[])[];
  /** Whether these lines are already in the log. */
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
  let readUpTo: TailPosition | undefined;
  /** How much of this file is in the log. */
  let logged: TailPosition | undefined;
  let pending: PendingPart | null = null;

  /** Loads the saved position: an import may be ahead of us, but never behind. */
  const loadLogged = async (): Promise<void> => {
    const saved = await ports.load(path);
    if (saved === undefined || saved.byteOffset <= loggedOf(saved.inode)) return;
    if (isSameFile(path, saved.inode, saved.byteOffset)) logged = saved;
  };
  const loggedOf = (inode: string): number => (logged?.inode === inode ? logged.byteOffset : 0);

  const restart = async (inode: string): Promise<void> => {
    // A truncated file keeps its identity: the saved position would hide its new lines.
    if (inode === readUpTo?.inode) await ports.save(path, { inode, byteOffset: 0 }, null);
    translator = null;
    readUpTo = undefined;
    logged = undefined;
  };

  const accept = async ({ eventsByLine }: PendingPart): Promise<HooklineEvent[]> => {
    const events = await acceptor.prepare(eventsByLine.flat(), () => eventsByLine.flatMap(acceptor.accept));
    acceptor.clearCache();
    return events;
  };

  const finishPart = async (part: PendingPart): Promise<CapturedPart> => {
    const events = part.events ?? (await accept(part));
    part.events = events;
    if (part.isOld) {
      pending = null;
      return MORE;
    }
    if (events.length > 0 && !part.isLogged) await ports.append(events);
    part.isLogged = true;
    for (const line of part.bad) ports.quarantine.put("bad", path, "not JSON", line);
    // Saved after the log: if killed in between, the lines are read again and yield the same events.
    await ports.save(path, part.position, events.at(-1)?.occurredAtIso ?? null);
    logged = part.position;
    pending = null;
    return { events: events.length, hasMore: true };
  };

  return {
    path,
    isBehind() {
      if (pending !== null) return true;
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined || readUpTo === undefined) return stats !== undefined;
      return Number(stats.size) !== readUpTo.byteOffset || !readUpTo.inode.startsWith(`${stats.ino}-`);
    },
    async captureNext() {
      if (pending !== null) return finishPart(pending);
      await loadLogged();
      // A part ends where the log ends, so that each is either old or new as a whole.
      const alreadyLogged = (logged?.byteOffset ?? 0) - (readUpTo?.byteOffset ?? 0);
      const read = tailFile(
        path,
        readUpTo,
        alreadyLogged > 0 ? Math.min(PART_BYTES, alreadyLogged) : PART_BYTES,
      );
      if (read === null) return NOTHING;
      if (read.isReplaced) {
        await restart(read.next.inode);
        return MORE;
      }
      if (read.lines.length === 0) return NOTHING;
      const isOld = read.next.byteOffset <= loggedOf(read.next.inode);
      translator ??= ports.source.open(ports.source.describe(path), ports.projectOf);
      const part = translate(translator, read.lines, isOld);
      readUpTo = read.next;
      pending = { ...part, isOld, events: null, isLogged: false, position: read.next };
      return finishPart(pending);
    },
  };
}

/** Of lines already in the log, only prompts are returned again: they determine what is private. */
function translate(
  translator: TranscriptTranslator,
  lines: readonly string[],
  isOld: boolean,
): Pick<PendingPart, "eventsByLine" | "bad"> {
  const eventsByLine: (readonly NewEvent[])[] = [];
  const bad: string[] = [];
  for (const line of lines) {
    if (line.trim() === "") continue;
    const value = parse(line);
    if (value === undefined) bad.push(line);
    else if (isOld)
      eventsByLine.push(translator.translateLine(value).filter((event) => event.eventType === "turn.start"));
    else eventsByLine.push(translator.translateLine(value));
  }
  return { eventsByLine, bad };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
