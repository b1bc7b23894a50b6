import { watch } from "node:fs";
import { dirname } from "node:path";
import { isEvent } from "../event/event.ts";
import { readLog } from "../log/reader.ts";
import { LOG_START, type LogFiles, type LogPosition } from "../log/segments.ts";
import { createSessionBook } from "./session-book.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";

export type { SessionSnapshot } from "./session-snapshot.ts";

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
  /** `lifecycle.jsonl`. */
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
  #reading: Promise<void> = Promise.resolve();
  #stop: (() => void) | null = null;

  constructor(options: LifecycleSessionMonitorOptions) {
    this.#log = { active: options.path };
    this.#nowMs = options.nowMs ?? Date.now;
    // Views stay for as long as their sessions: there is nothing to make them again from but the whole log.
    this.#book = createSessionBook({
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
    const watcher = watch(dirname(this.#log.active), soon).on("error", () => undefined);
    const sweep = setInterval(soon, SWEEP_MS).unref();
    const prune = setInterval(() => this.#prune(), SETTLE_MS).unref();
    this.#stop = () => {
      watcher.close();
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

  #tell(line: string): void {
    if (line === "") return;
    let event: unknown;
    try {
      event = JSON.parse(line);
    } catch {
      return;
    }
    if (isEvent(event)) this.#book.tell(event);
  }
}
