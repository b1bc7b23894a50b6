import type { HooklineEvent } from "../event/event.ts";

declare const brand: unique symbol;

/** Where a reader stands. Opaque: only the log that gave it can read it, and it survives restarts and erasing. */
export type Position = string & { readonly [brand]: "position" };

/** Logs are lost by whole parts. Ascending; a view remembers which parts a fact rests on (see `Log.restore`). */
export type LogPart = number;

export interface LogBatch {
  /** Whole lines, one event each, without a newline. A blank line held something that was erased. */
  readonly lines: readonly string[];
  /** The events of these lines, where the log still has them in memory. */
  readonly events?: readonly HooklineEvent[];
  readonly part: LogPart;
  /** Where to go on after this batch. */
  readonly next: Position;
}

/**
 * A log that others write. Nothing here changes it.
 * - `read` gives every whole line after a position, in order and once, to the end as it is now; a torn last line waits.
 * - A position whose place is gone goes on at the next one that is there; in a log that was replaced, at its start.
 * - Throws `DamagedPartError` where a part cannot be read.
 */
export interface LogReader {
  /** Names the log for people. */
  readonly name: string;
  read(after?: Position, options?: ReadOptions): AsyncGenerator<LogBatch>;
  /** The same, part by part, newest part first. Ends when the reader stops asking. */
  readNewestFirst(): AsyncGenerator<AsyncGenerator<LogBatch>>;
  /** Calls when the log may have grown, and once a second in any case. Gives what ends it. `followLog` builds on it. */
  watch(onChange: () => void): () => void;
  /** What is there, at a glance. */
  inspect(): Promise<{ readonly parts: number; readonly missing: readonly string[] }>;
  /** Reads everything. Names are for people. */
  findDamage(): Promise<LogDamage>;
}

export interface ReadOptions {
  /** For the one view that follows as the log grows: gives what was just appended without reading it again. */
  readonly live?: boolean;
}

export interface LogDamage {
  readonly damaged: readonly string[];
  /** Damaged parts that could not be restored whole, kept for a while. */
  readonly aside: readonly string[];
}

/**
 * The log as its one owner has it.
 * - `append` is durable when it resolves, and atomic: all of the events, or none. Calls take effect in their order.
 * - `erase` leaves every position valid. Repeating it changes nothing.
 * - What somebody removed from the log while nobody looked is noticed by `restore`, and appended again.
 */
export interface Log extends LogReader {
  append(events: readonly HooklineEvent[]): Promise<Position>;
  /** A view has stored these lines. Until then they can be appended again, should the log lose them. */
  applied(lines: readonly string[]): void;
  /** Rewrites or blanks lines. Only within `exclusively`. */
  erase(change: EraseLine): Promise<number>;
  /** Work that rewrites the log or needs it to stay as it is, one after the other. Appending goes on. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Appends what was lost of what a view had read up to a position, and what no view had read. Null: nothing was lost. */
  restore(position: Position | undefined, known: KnownFacts): Promise<RestoreReport | null>;
  damagedParts(): Promise<readonly LogPart[]>;
  /** Takes a damaged part out of the log, and appends what the view and its sound remains know of it. */
  repair(part: LogPart, position: Position | undefined, known: KnownFacts): Promise<RepairReport | null>;
  /** Upkeep in the background, such as compressing. */
  tidy(): void;
  /** Removes what earlier work left beside the log, such as damaged parts that were set aside. */
  dropLeftovers(): void;
  /** Where the log still has a text, erased or not, and whatever lies beside it. */
  findText(isFound: (text: string) => boolean): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * What becomes of a line: undefined leaves it, an empty text blanks it, another text takes its place. A text that
 * is longer than the line (in UTF-8) has no room, and blanks it.
 */
export type EraseLine = (line: string) => string | undefined;

/** What a view knows of the parts of the log that it was made from. */
export interface KnownFacts {
  /** All that rests on these parts, in order of arrival. */
  factsOf(parts: readonly LogPart[]): Iterable<HooklineEvent> | AsyncIterable<HooklineEvent>;
  hasFact(id: string): boolean | Promise<boolean>;
  /** They rest on another part now. */
  moveFacts(from: readonly LogPart[], to: LogPart): void | Promise<void>;
}

export interface RestoreReport {
  /** From the view. */
  readonly restored: number;
  /** What no view had read. */
  readonly unread: number;
  /** Where views have to read again; undefined when their position still holds. */
  readonly from: Position | undefined;
}

export interface RepairReport {
  readonly part: LogPart;
  readonly restored: number;
  /** Where the damaged part is kept, if some of it may be lost; null when the view had read all of it. */
  readonly aside: string | null;
}

export class DamagedPartError extends Error {
  readonly part: LogPart;

  constructor(part: LogPart, place: string) {
    super(`segment ${part} of the log is damaged: ${place}`);
    this.name = "DamagedPartError";
    this.part = part;
  }
}
