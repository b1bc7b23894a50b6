import type { HooklineEvent } from "../event/event.ts";

/**
 * The queries of control: envelopes of driven sessions, and which reactions have run.
 * - Shows exactly what was applied: control writes only through the log.
 * - Each result is a consistent snapshot.
 */
export interface ControlRows {
  /** The envelopes of a session with a greater seq, in order. */
  envelopes(sessionId: string, afterSeq: number, limit: number): Promise<Record<string, unknown>[]>;
  /** 0 for a session that was never driven. */
  lastEnvelopeSeq(sessionId: string): Promise<number>;
  /** Sessions whose last envelope is not a closing one. */
  unfinishedSessions(): Promise<readonly UnfinishedSession[]>;
  /** Sessions in which a request was lost since then. */
  sessionsWithLostRequests(sinceIso: string): Promise<readonly DrivenSessionRow[]>;
  /** Events since then about requests whose ids have this prefix, asked or settled, in order of arrival. */
  requestEvents(idPrefix: string, sinceIso: string): Promise<HooklineEvent[]>;
  /** Events that occurred since then, in order of arrival. */
  eventsSince(iso: string, limit: number): Promise<HooklineEvent[]>;
  /** Verdicts of guard and gate, newest first. */
  verdicts(query: VerdictRowQuery): Promise<HooklineEvent[]>;
  /** Calls of terminal sessions since then that ran unchecked because the guard did not answer. */
  uncheckedCalls(sinceIso: string): Promise<{ count: number; lastAtIso: string | null }>;
  /** The newest calls that started at or after a time, in order. */
  newestCalls(sinceIso: string, limit: number): Promise<HooklineEvent[]>;
  hasEvent(eventId: string): Promise<boolean>;
  /** The text of the newest turn summary. */
  lastSummary(sessionId: string): Promise<{ request: string | null; completed: string | null } | null>;
}

export interface DrivenSessionRow {
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly cwd: string | null;
}

export interface UnfinishedSession extends DrivenSessionRow {
  readonly lastSeq: number;
}

export interface VerdictRowQuery {
  readonly sessionId?: string | undefined;
  readonly sinceIso?: string | undefined;
  readonly limit: number;
}
