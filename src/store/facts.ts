import type { HooklineEvent } from "../event/event.ts";
import type { LogBatch, LogPart, Position } from "../log/log.ts";

/**
 * The log as queryable facts. A view of the log: it can be deleted and rebuilt.
 * - `apply` commits a batch and the position after it together, or neither.
 * - Applying a batch again changes nothing.
 * - A line that is not an event is reported, and an event that the engine refuses is recorded as refused with
 *   its reason; the rest of the batch is stored.
 * - Each method is atomic: a concurrent reader sees all of it or nothing.
 */
export interface Facts {
  /** The log position to resume from; undefined before the first batch. */
  position(): Promise<Position | undefined>;
  apply(batch: LogBatch): Promise<ApplyResult>;
  events(query: EventQuery): Promise<readonly StoredRow[]>;
  /** A page of one session's events: after a seq in order, or before one, newest first. */
  sessionEvents(query: SessionEventQuery): Promise<readonly StoredRow[]>;
  /** The full content of a large input or patch, as JSON. */
  blob(hash: string): Promise<string | undefined>;
  /**
   * The known state of these prompts, used before logging to drop private content. Unknown ones are omitted.
   */
  prompts(promptIds: readonly string[]): Promise<ReadonlyMap<string, PromptState>>;
  /** Those of these ids that are facts of private turns. */
  privateFacts(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** How far a foreign stream has been read. */
  streamOffset(key: string): Promise<StreamOffset | undefined>;
  /** Without `lastEventIso`, the saved time stays. */
  saveStreamOffset(key: string, position: StreamPosition, lastEventIso: string | null): Promise<void>;
  /** All facts from these parts of the log, complete, in order of arrival: for a log that lost them. */
  factsOf(parts: readonly LogPart[]): AsyncIterable<HooklineEvent>;
  hasFact(id: string): Promise<boolean>;
  /** Records the part that holds the facts once the log has them again. */
  moveFacts(from: readonly LogPart[], to: LogPart): Promise<void>;
  summary(): Promise<StoreSummary>;
  /** All facts of a session, complete and in order of arrival, to repair a log that lost some. */
  factsOfSession(sessionId: string): AsyncIterable<HooklineEvent>;
  /** Requested removals that are not done yet, by session. */
  pendingRemovals(): Promise<readonly Removal[]>;
  /** Marks the session's events before that time for removal. The latest request wins. */
  requestRemoval(sessionId: string, beforeIso: string): Promise<void>;
  cancelRemoval(sessionId: string): Promise<void>;
  /** Deletes a session, everything that depends on it, and its removal requests. */
  removeSession(sessionId: string): Promise<void>;
  /** Sessions without events at or after that time, oldest first. */
  sessionsOlderThan(iso: string): Promise<readonly string[]>;
  /** The start of the newest session that started at or before that time. */
  newestSessionBefore(iso: string): Promise<string | null>;
}

export interface Removal {
  readonly sessionId: string;
  /** Events at or after this time are not included. */
  readonly beforeIso: string;
}

export interface ApplyResult {
  readonly events: number;
  readonly lastEventIso: string | null;
  /** Lines that are not events, for the quarantine. */
  readonly invalidLines: readonly string[];
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
  /** The event ids of the prompts reported under this prompt id. */
  readonly eventIds: readonly string[];
  readonly isPrivate: boolean;
  /** The slash command that started the turn, while it runs. */
  readonly slashCommand: HooklineEvent | undefined;
}

export interface StreamPosition {
  readonly inode: string;
  readonly byteOffset: number;
}

export interface StreamOffset extends StreamPosition {
  readonly updatedAtIso: string;
}

export interface StoreSummary {
  readonly events: number;
  readonly sessions: number;
  readonly refused: number;
  readonly lastEventPerSource: Readonly<Record<string, string>>;
}
