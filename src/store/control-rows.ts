import type { HooklineEvent } from "../event/event.ts";

/** What steering asks of the database: envelopes of driven sessions, and what reactions have run. */
export interface ControlRows {
  /** The envelopes of a session with a greater seq, in order. */
  envelopes(sessionId: string, afterSeq: number, limit: number): Record<string, unknown>[];
  /** 0 for a session that nobody drove. */
  lastSeq(sessionId: string): number;
  /** Sessions whose last envelope is not the one that closes. */
  unfinished(): { sessionId: string; lastSeq: number; projectPath: string | null; cwd: string | null }[];
  /** Sessions in which a request was lost since then. */
  lost(sinceIso: string): { sessionId: string; projectPath: string | null; cwd: string | null }[];
  /** Events that happened since then, in order of arrival. */
  eventsSince(iso: string, limit: number): HooklineEvent[];
  /** What guard and gate said, the newest first. */
  verdicts(query: VerdictRowQuery): HooklineEvent[];
  /** Calls of terminal sessions that the guard did not answer, and that ran unchecked since then. */
  unchecked(sinceIso: string): { count: number; lastAtIso: string | null };
  /** Calls that began at or after a time: the newest of them, in order. */
  newestCalls(sinceIso: string, limit: number): HooklineEvent[];
  has(eventId: string): boolean;
  /** The words of the last turn's summary that has any. */
  lastSummary(sessionId: string): { request: string | null; completed: string | null } | null;
}

export interface VerdictRowQuery {
  readonly sessionId?: string | undefined;
  readonly sinceIso?: string | undefined;
  readonly limit: number;
}
