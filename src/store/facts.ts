import type { HooklineEvent } from "../event/event.ts";
import type { LogBatch, LogPart, Position } from "../log/log.ts";

/**
 * What the log says, as facts that can be asked for. A view of the log: it can be thrown away and made again.
 * - `apply` commits a batch and the position after it together, or neither.
 * - Applying a batch again changes nothing.
 * - A line that is no event is reported, and an event that the engine refuses is set aside with its reason; the rest of
 *   the batch is stored.
 * - Each method takes effect as a whole: whoever asks meanwhile sees all of it or nothing.
 */
export interface Facts {
  /** Where the log is to be read on; undefined before the first batch. */
  position(): Promise<Position | undefined>;
  apply(batch: LogBatch): Promise<ApplyResult>;
  events(query: EventQuery): Promise<readonly StoredRow[]>;
  /** A page of one session's events: after a place in order, or before one, the newest first. */
  sessionEvents(query: SessionEventQuery): Promise<readonly StoredRow[]>;
  /** What a large input or patch holds whole, as JSON. */
  blob(hash: string): Promise<string | undefined>;
  /** What is known of these prompts: used before the log to leave out private content. Unknown ones are left out. */
  prompts(promptIds: readonly string[]): Promise<ReadonlyMap<string, PromptState>>;
  /** Of these ids, the facts of private turns. */
  privateFacts(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** How far a foreign stream has been read. */
  streamOffset(key: string): Promise<StreamOffset | undefined>;
  /** Without the time of a last event, the one that was saved before stays. */
  saveStreamOffset(key: string, place: StreamPlace, lastEventIso: string | null): Promise<void>;
  /** The facts that rest on these parts of the log, in order of arrival, whole: for a log that lost them. */
  factsOf(parts: readonly LogPart[]): AsyncIterable<HooklineEvent>;
  hasFact(id: string): Promise<boolean>;
  /** After the log has them again: in which part. */
  moveFacts(from: readonly LogPart[], to: LogPart): Promise<void>;
  summary(): Promise<StoreSummary>;
  /** A session's facts, in order of arrival, whole: for a log that lost some of them. */
  factsOfSession(sessionId: string): AsyncIterable<HooklineEvent>;
  /** What was asked for and is not done, by session. */
  removals(): Promise<readonly Removal[]>;
  /** What the session told before that time is to be removed. Asked again, the later word counts. */
  askRemoval(sessionId: string, beforeIso: string): Promise<void>;
  /** The session stays. */
  dropRemoval(sessionId: string): Promise<void>;
  /** Deletes a session and all that hangs on it, and what was asked about its removal. */
  removeSession(sessionId: string): Promise<void>;
  /** Sessions of which nothing was told at or after that time, the oldest first. */
  sessionsOlderThan(iso: string): Promise<readonly string[]>;
  /** When the newest session began of those that began up to then. */
  newestSessionBefore(iso: string): Promise<string | null>;
}

export interface Removal {
  readonly sessionId: string;
  /** What it told at or after this time is not meant. */
  readonly beforeIso: string;
}

export interface ApplyResult {
  readonly events: number;
  readonly lastEventIso: string | null;
  /** Lines that are no event: for the quarantine. */
  readonly bad: readonly string[];
  readonly refused: number;
}

export interface EventQuery {
  readonly after: number;
  readonly limit: number;
  readonly sessionId?: string | undefined;
}

export interface SessionEventQuery {
  readonly sessionId: string;
  readonly after: number;
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface StoredRow {
  readonly seq: number;
  readonly event: HooklineEvent;
}

export interface PromptState {
  /** The prompts (their event ids) that were told under this id. */
  readonly told: readonly string[];
  readonly isPrivate: boolean;
  /** The slash command that began the turn, while it runs. */
  readonly slash: HooklineEvent | undefined;
}

export interface StreamPlace {
  readonly inode: string;
  readonly byteOffset: number;
}

export interface StreamOffset extends StreamPlace {
  readonly updatedAtIso: string;
}

export interface StoreSummary {
  readonly events: number;
  readonly sessions: number;
  readonly refused: number;
  readonly lastEventPerSource: Readonly<Record<string, string>>;
}
