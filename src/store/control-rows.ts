import type { HooklineEvent } from "../event/event.ts";

/**
 * What steering asks of the database: envelopes of driven sessions, and what reactions have run.
 * - It shows all that was applied, and nothing else: what steering writes goes through the log.
 * - Each answer is of one moment.
 */
export interface ControlRows {
  /** The envelopes of a session with a greater seq, in order. */
  envelopes(sessionId: string, afterSeq: number, limit: number): Promise<Record<string, unknown>[]>;
  /** 0 for a session that nobody drove. */
  lastSeq(sessionId: string): Promise<number>;
  /** Sessions whose last envelope is not the one that closes. */
  unfinished(): Promise<readonly UnfinishedSession[]>;
  /** Sessions in which a request was lost since then. */
  lost(sinceIso: string): Promise<readonly DrivenPlace[]>;
  /** What was written since then of requests whose ids begin so, asked or settled, in order of arrival. */
  requests(idStart: string, sinceIso: string): Promise<HooklineEvent[]>;
  /** Events that happened since then, in order of arrival. */
  eventsSince(iso: string, limit: number): Promise<HooklineEvent[]>;
  /** What guard and gate said, the newest first. */
  verdicts(query: VerdictRowQuery): Promise<HooklineEvent[]>;
  /** Calls of terminal sessions that the guard did not answer, and that ran unchecked since then. */
  unchecked(sinceIso: string): Promise<{ count: number; lastAtIso: string | null }>;
  /** Calls that began at or after a time: the newest of them, in order. */
  newestCalls(sinceIso: string, limit: number): Promise<HooklineEvent[]>;
  has(eventId: string): Promise<boolean>;
  /** The words of the last turn's summary that has any. */
  lastSummary(sessionId: string): Promise<{ request: string | null; completed: string | null } | null>;
}

export interface DrivenPlace {
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly cwd: string | null;
}

export interface UnfinishedSession extends DrivenPlace {
  readonly lastSeq: number;
}

export interface VerdictRowQuery {
  readonly sessionId?: string | undefined;
  readonly sinceIso?: string | undefined;
  readonly limit: number;
}
