import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname } from "node:path";
import { claude } from "../agents/claude/claude.ts";
import { fromForeignLine } from "../capture/foreign-event.ts";
import { type HooklineEvent, isEvent } from "../event/event.ts";
import { readLog } from "../log/reader.ts";
import { LOG_START, type LogFiles, type LogPosition, listSegments } from "../log/segments.ts";
import { createSessionBook } from "./session-book.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";

export {
  LifecycleEvent,
  SessionLifecycleEvent,
  type SessionLifecyclePhase,
  SkillLifecycleEvent,
  type SkillLifecyclePhase,
} from "../event/lifecycle-event.ts";
export type { SessionSnapshot } from "./session-snapshot.ts";

/** What the transcript adds to a session when a turn ends. */
export interface TurnRichData {
  readonly model: string | null;
  readonly tokens: { readonly input: number; readonly output: number; readonly cached: number };
  readonly turnCount: number;
  readonly gitBranch: string | null;
}

/** Tokens read from and written to the cache are one number here. */
export function toTurnRichData({ model, tokens, turnCount, gitBranch }: SessionSnapshot): TurnRichData {
  const { input, output, cacheRead, cacheWrite } = tokens;
  return { model, tokens: { input, output, cached: cacheRead + cacheWrite }, turnCount, gitBranch };
}

/** Who tells what the sessions on this machine do. */
export interface SessionMonitorProvider {
  /** Resolves when what is known already has been read. */
  start(): Promise<void>;
  stop(): Promise<void>;
  sessions(): SessionSnapshot[];
  session(sessionId: string): SessionSnapshot | undefined;
  /** Called with each session that changed. Gives what ends it. */
  onChange(listener: (snapshot: SessionSnapshot) => void): () => void;
}

export interface LifecycleSessionMonitorOptions {
  /** `lifecycle.jsonl`: ours, or a stream that another program writes. It need not exist yet. */
  readonly path: string;
  readonly nowMs?: () => number;
}

const SWEEP_MS = 1_000;
const SETTLE_MS = 30_000;

/**
 * Follows the log alone, by a position of its own: no daemon and no database is asked. At its start it reads the log
 * from the beginning; sessions that ended more than a day ago are let go.
 */
export class LifecycleSessionMonitor implements SessionMonitorProvider {
  readonly #log: LogFiles;
  readonly #nowMs: () => number;
  readonly #listeners = new Set<(snapshot: SessionSnapshot) => void>();
  readonly #book;
  readonly #shown = new Map<string, string>();
  #position: LogPosition = LOG_START;
  /** The active file as it was last seen. */
  #active: { readonly segment: number; readonly inode: number } | null = null;
  #reading: Promise<void> = Promise.resolve();
  #stop: (() => void) | null = null;

  constructor(options: LifecycleSessionMonitorOptions) {
    this.#log = { active: options.path };
    this.#nowMs = options.nowMs ?? Date.now;
    // Views stay for as long as their sessions: there is nothing to make them again from but the whole log.
    this.#book = createSessionBook({
      prices: claude.usage,
      nowMs: this.#nowMs,
      monotonicMs: () => performance.now(),
      remembered: () => [],
      viewMs: Number.POSITIVE_INFINITY,
    });
  }

  async start(): Promise<void> {
    await this.#read();
    // The next sweep tries again.
    const soon = (): void => void this.#read().catch(() => undefined);
    let watcher = openWatcher(this.#log.active, soon);
    const sweep = setInterval(() => {
      watcher ??= openWatcher(this.#log.active, soon);
      soon();
    }, SWEEP_MS).unref();
    const prune = setInterval(() => this.#prune(), SETTLE_MS).unref();
    this.#stop = () => {
      watcher?.close();
      clearInterval(sweep);
      clearInterval(prune);
    };
  }

  async stop(): Promise<void> {
    this.#stop?.();
    this.#stop = null;
    await this.#reading.catch(() => undefined);
  }

  sessions(): SessionSnapshot[] {
    return this.#book.snapshots();
  }

  session(sessionId: string): SessionSnapshot | undefined {
    return this.#book.snapshot(sessionId);
  }

  onChange(listener: (snapshot: SessionSnapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #read(): Promise<void> {
    const read = async (): Promise<void> => {
      this.#startOverIfReplaced();
      for await (const batch of readLog(this.#log, this.#position)) {
        for (const line of batch.lines) this.#tell(line);
        this.#position = batch.next;
        this.#prune();
      }
      const changed = new Set(this.#book.takeChanged());
      for (const snapshot of this.#book.snapshots()) {
        const { sessionId, state, activityPhase } = snapshot;
        const standing = `${state} ${activityPhase}`;
        // Time alone makes a session idle.
        if (!changed.has(sessionId) && this.#shown.get(sessionId) === standing) continue;
        this.#shown.set(sessionId, standing);
        for (const listener of this.#listeners) listener(snapshot);
      }
    };
    this.#reading = this.#reading.catch(() => undefined).then(read);
    return this.#reading;
  }

  #prune(): void {
    for (const { sessionId } of this.#book.prune()) this.#shown.delete(sessionId);
  }

  /** Another program may replace or truncate its stream instead of rotating it as we do. */
  #startOverIfReplaced(): void {
    const { segment, offset } = this.#position;
    const active = listSegments(this.#log).at(-1)!;
    const stat = statSync(active.path, { throwIfNoEntry: false });
    if (stat === undefined) return;
    const known = this.#active;
    const isReplaced = known !== null && known.segment === active.number && known.inode !== stat.ino;
    this.#active = { segment: active.number, inode: stat.ino };
    if (active.number === segment && (isReplaced || stat.size < offset))
      this.#position = { segment, offset: 0 };
  }

  #tell(line: string): void {
    if (line === "") return;
    const event = readEvent(line);
    if (event !== null) this.#book.tell(event);
  }
}

/** Null while the folder is missing. */
function openWatcher(path: string, onChange: () => void): FSWatcher | null {
  try {
    return watch(dirname(path), onChange).on("error", () => undefined);
  } catch {
    return null;
  }
}

/** A line of our own log, or one of another program's stream, which needs less. */
function readEvent(line: string): HooklineEvent | null {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : fromForeignLine(line);
  } catch {
    return null;
  }
}
