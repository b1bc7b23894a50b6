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
  /** Returns when the events are safe on the disk. */
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly load: (path: string) => Promise<TailPosition | undefined>;
  readonly save: (path: string, position: TailPosition, lastEventIso: string | null) => Promise<void>;
  readonly quarantine: Quarantine;
}

export interface Taken {
  readonly events: number;
  readonly isMore: boolean;
}

export interface FollowedTranscript {
  readonly path: string;
  /** Takes the next whole lines, a part of a big file at a time. After a throw the same is tried again. */
  take(): Promise<Taken>;
  /** Whether there is something to take, by the file's size alone. */
  isBehind(): boolean;
}

/** Read and translated, but not yet safe: the translator must not see these lines twice. */
interface Owed {
  /** What each line tells. */
  readonly told: readonly (readonly NewEvent[])[];
  /** The log has these lines already. */
  readonly isOld: boolean;
  /** What of it may stand in the log, once that is known. */
  events: readonly HooklineEvent[] | null;
  isLogged: boolean;
  readonly bad: readonly string[];
  readonly position: TailPosition;
}

const PART_BYTES = 256 * 1024;
const NOTHING: Taken = { events: 0, isMore: false };
const MORE: Taken = { events: 0, isMore: true };

/**
 * One transcript while its session lives. The translator stays, so that growth is read from where it ends;
 * lines that the log has already (from an earlier run, or an import beside us) are read for its sake alone.
 */
export function followTranscript(
  path: string,
  acceptor: Acceptor,
  ports: TranscriptPorts,
): FollowedTranscript {
  let translator: TranscriptTranslator | null = null;
  let at: TailPosition | undefined;
  /** How far the log has this file. */
  let logged: TailPosition | undefined;
  let owed: Owed | null = null;

  /** An import may have gone further than we have, but not back. */
  const lookUp = async (): Promise<void> => {
    const saved = await ports.load(path);
    if (saved === undefined || saved.byteOffset <= loggedOf(saved.inode)) return;
    if (isSameFile(path, saved.inode, saved.byteOffset)) logged = saved;
  };
  const loggedOf = (inode: string): number => (logged?.inode === inode ? logged.byteOffset : 0);

  const beginAgain = async (inode: string): Promise<void> => {
    // A file that was cut keeps its identity: what was saved of it would hide its new lines.
    if (inode === at?.inode) await ports.save(path, { inode, byteOffset: 0 }, null);
    translator = null;
    at = undefined;
    logged = undefined;
  };

  const accept = async ({ told }: Owed): Promise<HooklineEvent[]> => {
    const events = await acceptor.prepare(told.flat(), () => told.flatMap(acceptor.accept));
    acceptor.rest();
    return events;
  };

  const settle = async (due: Owed): Promise<Taken> => {
    const events = due.events ?? (await accept(due));
    due.events = events;
    if (due.isOld) {
      owed = null;
      return MORE;
    }
    if (events.length > 0 && !due.isLogged) await ports.append(events);
    due.isLogged = true;
    for (const line of due.bad) ports.quarantine.put("bad", path, "not JSON", line);
    // After the log: killed in between, the lines are read again and are the same events again.
    await ports.save(path, due.position, events.at(-1)?.occurredAtIso ?? null);
    logged = due.position;
    owed = null;
    return { events: events.length, isMore: true };
  };

  return {
    path,
    isBehind() {
      if (owed !== null) return true;
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (found === undefined || at === undefined) return found !== undefined;
      return Number(found.size) !== at.byteOffset || !at.inode.startsWith(`${found.ino}-`);
    },
    async take() {
      if (owed !== null) return settle(owed);
      await lookUp();
      // A part ends where the log ends, so that each is either old or new as a whole.
      const old = (logged?.byteOffset ?? 0) - (at?.byteOffset ?? 0);
      const read = tailFile(path, at, old > 0 ? Math.min(PART_BYTES, old) : PART_BYTES);
      if (read === null) return NOTHING;
      if (read.isAnother) {
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

/** Of lines that the log has already only the prompts are told again: they say what is private. */
function translate(
  translator: TranscriptTranslator,
  lines: readonly string[],
  isOld: boolean,
): Pick<Owed, "told" | "bad"> {
  const told: (readonly NewEvent[])[] = [];
  const bad: string[] = [];
  for (const line of lines) {
    if (line.trim() === "") continue;
    const value = parse(line);
    if (value === undefined) bad.push(line);
    else if (isOld) told.push(translator.line(value).filter((event) => event.eventType === "turn.start"));
    else told.push(translator.line(value));
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
