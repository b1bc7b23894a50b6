import { agents } from "../agents/registry.ts";
import { fromForeignLine } from "../capture/foreign-event.ts";
import { type HooklineEvent, isEvent } from "../event/event.ts";
import { openFileLogReader } from "../log/file/file-log-reader.ts";
import type { LogReader, Position } from "../log/log.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { createWatchedSessions } from "./watched-sessions.ts";

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

/** Tokens read from and written to the cache are combined into one number. */
export function toTurnRichData({ model, tokens, turnCount, gitBranch }: SessionSnapshot): TurnRichData {
  const { input, output, cacheRead, cacheWrite } = tokens;
  return { model, tokens: { input, output, cached: cacheRead + cacheWrite }, turnCount, gitBranch };
}

/** Reports the activity of the sessions on this machine. */
export interface SessionMonitorProvider {
  /** Resolves when existing data has been read. */
  start(): Promise<void>;
  stop(): Promise<void>;
  sessions(): SessionSnapshot[];
  session(sessionId: string): SessionSnapshot | undefined;
  /** Calls the listener with each session that changed. Returns a function that unsubscribes. */
  onChange(listener: (snapshot: SessionSnapshot) => void): () => void;
}

export interface LifecycleSessionMonitorOptions {
  /** `lifecycle.jsonl`: ours, or a stream written by another program. It need not exist yet. */
  readonly path: string;
  readonly nowMs?: () => number;
}

const PRUNE_INTERVAL_MS = 30_000;

/**
 * Follows the log alone with its own position, without a daemon or a database. Reads the log from the start;
 * drops sessions that ended more than a day ago.
 */
export class LifecycleSessionMonitor implements SessionMonitorProvider {
  readonly #log: LogReader;
  readonly #nowMs: () => number;
  readonly #listeners = new Set<(snapshot: SessionSnapshot) => void>();
  readonly #watched;
  readonly #reported = new Map<string, string>();
  #position: Position | undefined;
  #reading: Promise<void> = Promise.resolve();
  #stop: (() => void) | null = null;

  constructor(options: LifecycleSessionMonitorOptions) {
    this.#log = openFileLogReader(options.path);
    this.#nowMs = options.nowMs ?? Date.now;
    // Views stay as long as their sessions: rebuilding one would require reading the whole log.
    this.#watched = createWatchedSessions({
      prices: agents.usage,
      nowMs: this.#nowMs,
      monotonicMs: () => performance.now(),
      viewRetentionMs: Number.POSITIVE_INFINITY,
    });
  }

  async start(): Promise<void> {
    await this.#read();
    // A failed read is retried on the next change.
    const unwatch = this.#log.watch(() => void this.#read().catch(() => undefined));
    const prune = setInterval(() => this.#prune(), PRUNE_INTERVAL_MS).unref();
    this.#stop = () => {
      unwatch();
      clearInterval(prune);
    };
  }

  async stop(): Promise<void> {
    this.#stop?.();
    this.#stop = null;
    await this.#reading.catch(() => undefined);
  }

  sessions(): SessionSnapshot[] {
    return this.#watched.snapshots();
  }

  session(sessionId: string): SessionSnapshot | undefined {
    return this.#watched.snapshot(sessionId);
  }

  onChange(listener: (snapshot: SessionSnapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #read(): Promise<void> {
    const read = async (): Promise<void> => {
      for await (const batch of this.#log.read(this.#position)) {
        for (const line of batch.lines) this.#apply(line);
        this.#position = batch.next;
        this.#prune();
      }
      const changed = new Set(this.#watched.takeChanged());
      for (const snapshot of this.#watched.snapshots()) {
        const { sessionId, state, activityPhase } = snapshot;
        const activity = `${state} ${activityPhase}`;
        // A session also becomes idle without any event.
        if (!changed.has(sessionId) && this.#reported.get(sessionId) === activity) continue;
        this.#reported.set(sessionId, activity);
        for (const listener of this.#listeners) listener(snapshot);
      }
    };
    this.#reading = this.#reading.catch(() => undefined).then(read);
    return this.#reading;
  }

  #prune(): void {
    for (const { sessionId } of this.#watched.prune()) this.#reported.delete(sessionId);
  }

  #apply(line: string): void {
    if (line === "") return;
    const event = readEvent(line);
    if (event !== null) this.#watched.apply(event);
  }
}

/** Parses a line of our own log or of another program's stream, which has fewer required fields. */
function readEvent(line: string): HooklineEvent | null {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : fromForeignLine(line);
  } catch {
    return null;
  }
}
