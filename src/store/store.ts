import type { HooklineEvent } from "../event/event.ts";
import type { LogBatch, LogPart, Position } from "../log/log.ts";

/**
 * The database behind everything that is asked. A view of the log: it can be thrown away and made again.
 * - `apply` takes a batch and moves the cursor in one transaction: both, or neither.
 * - Applying a batch again changes nothing.
 * - A line the database refuses is set aside with its reason; the rest goes on.
 */
export interface Store {
  /** Where the log is to be read on; undefined before the first batch. */
  position(): Position | undefined;
  apply(batch: LogBatch): ApplyResult;
  events(query: EventQuery): StoredRow[];
  /** A page of one session's events: after a place in order, or before one, the newest first. */
  sessionEvents(query: SessionEventQuery): StoredRow[];
  /** What a large input or patch holds whole, as JSON. */
  blob(hash: string): string | undefined;
  /** What is known of a prompt: used before the log to leave out private content. */
  prompt(promptId: string): PromptState | undefined;
  /** The offset to which a foreign stream has been read. */
  streamOffset(key: string): StreamOffset | undefined;
  saveStreamOffset(key: string, offset: StreamOffset): void;
  /** The facts that rest on these parts of the log, in order of arrival, whole: for a log that lost them. */
  factsOf(parts: readonly LogPart[]): Iterable<HooklineEvent>;
  hasFact(id: string): boolean;
  /** After the log has them again: in which part. */
  moveFacts(from: readonly LogPart[], to: LogPart): void;
  summary(): StoreSummary;
  removals(): string[];
  askRemoval(sessionId: string, askedAtIso: string): void;
  /** Deletes a session and all that hangs on it. */
  removeSession(sessionId: string): void;
  sessionsOlderThan(iso: string): string[];
  /** When the newest session began of those that began up to then. */
  newestSessionBefore(iso: string): string | null;
  close(): void;
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

export interface StreamOffset {
  readonly inode: string;
  readonly byteOffset: number;
  readonly updatedAtIso: string;
}

export interface StoreSummary {
  readonly events: number;
  readonly sessions: number;
  readonly refused: number;
  readonly lastEventPerSource: Readonly<Record<string, string>>;
}
