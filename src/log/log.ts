import type { HooklineEvent } from "../event/event.ts";

declare const brand: unique symbol;

/** A reader's position. Opaque: only its own log can parse it. Survives restarts and erasing. */
export type Position = string & { readonly [brand]: "position" };

/**
 * The unit in which a log is lost. Ascending; a view records the parts of each fact (see `Log.restore`).
 */
export type LogPart = number;

export interface LogBatch {
  /** Complete lines, one event each, without a newline. A blank line held erased content. */
  readonly lines: readonly string[];
  /** The events of these lines, if the log still has them in memory. */
  readonly events?: readonly HooklineEvent[];
  readonly part: LogPart;
  /** Where to continue after this batch. */
  readonly next: Position;
}

/**
 * A log that another process writes; read-only.
 * - `read` yields every complete line after a position, in order and once, to the current end; a torn last
 *   line waits.
 * - A position that no longer exists continues at the next existing one; in a log that was replaced, at its
 *   start.
 * - Throws `DamagedPartError` if a part cannot be read.
 */
export interface LogReader {
  /** A name for display. */
  readonly name: string;
  read(after?: Position, options?: ReadOptions): AsyncGenerator<LogBatch>;
  /** The same, part by part, newest part first. Ends when the consumer stops. */
  readNewestFirst(): AsyncGenerator<AsyncGenerator<LogBatch>>;
  /**
   * Calls back when the log may have grown, at least every second; returns a stop function. See
   * `followLog`.
   */
  watch(onChange: () => void): () => void;
  /** A quick overview. */
  inspect(): Promise<{ readonly parts: number; readonly missing: readonly string[] }>;
  /** Reads everything. The names are for display. */
  findDamage(): Promise<LogDamage>;
}

export interface ReadOptions {
  /** For the one view that follows the log live: yields what was just appended without reading it again. */
  readonly live?: boolean;
}

export interface LogDamage {
  readonly damaged: readonly string[];
  /** Damaged parts that could not be fully restored, retained for a while. */
  readonly quarantined: readonly string[];
}

/**
 * The log as its only owner sees it.
 * - `append` is durable when it resolves, and atomic: all of the events, or none. Calls take effect in order.
 * - `erase` leaves every position valid. It is idempotent.
 * - `restore` detects what was removed from the log, even while no process was running, and appends it again.
 */
export interface Log extends LogReader {
  append(events: readonly HooklineEvent[]): Promise<Position>;
  /** A view has stored these lines. Until then they can be appended again if the log loses them. */
  markApplied(lines: readonly string[]): void;
  /** Rewrites or blanks lines. Only within `runExclusive`. */
  erase(change: EraseLine): Promise<number>;
  /** Serialises work that rewrites the log or needs it to stay unchanged. Appending continues. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Appends lost lines: those a view had read up to a position, and unread ones. Null: none lost. */
  restore(position: Position | undefined, known: KnownFacts): Promise<RestoreReport | null>;
  damagedParts(): Promise<readonly LogPart[]>;
  /** Removes a damaged part from the log, and appends what the view and its intact remains know of it. */
  repair(part: LogPart, position: Position | undefined, known: KnownFacts): Promise<RepairReport | null>;
  /** Background maintenance, such as compression. */
  tidy(): void;
  /** Removes leftovers beside the log, such as quarantined parts. */
  removeLeftovers(): void;
  /** Where the log, or a file beside it, still contains a text, erased or not. */
  findText(isFound: (text: string) => boolean): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * What happens to a line: undefined leaves it, an empty text blanks it, another text replaces it. A text
 * longer than the line (in UTF-8) does not fit, and blanks it.
 */
export type EraseLine = (line: string) => string | undefined;

/** What a view knows of the parts of the log that it was built from. */
export interface KnownFacts {
  /** All facts based on these parts, in order of arrival. */
  factsOf(parts: readonly LogPart[]): Iterable<HooklineEvent> | AsyncIterable<HooklineEvent>;
  hasFact(id: string): boolean | Promise<boolean>;
  /** Records that these facts are now based on another part. */
  moveFacts(from: readonly LogPart[], to: LogPart): void | Promise<void>;
}

export interface RestoreReport {
  /** Restored from the view. */
  readonly restored: number;
  /** Lines that no view had read. */
  readonly unread: number;
  /** Where views must read again from; undefined if their position is still valid. */
  readonly rereadFrom: Position | undefined;
}

export interface RepairReport {
  readonly part: LogPart;
  readonly restored: number;
  /** Where the damaged part is stored, if some of it may be lost; null if the view had read all of it. */
  readonly quarantinedPath: string | null;
}

export class DamagedPartError extends Error {
  readonly part: LogPart;

  constructor(part: LogPart, location: string) {
    super(`segment ${part} of the log is damaged: ${location}`);
    this.name = "DamagedPartError";
    this.part = part;
  }
}
