import type { HooklineEvent } from "../event/event.ts";
import type { Position } from "../log/log.ts";

/**
 * Session rows for lists. The rows belong to the monitor; the store does not interpret them.
 * - Each method is atomic: it sees one state of the store, and writes everything or nothing.
 * - Methods take effect in call order, even before earlier ones have resolved.
 * - Two calls are not atomic together: anything may be written or erased between them.
 */
export interface SessionRows {
  /** Saves rows; a position states that they cover the log up to it. Saves both or neither. */
  saveSessions(rows: readonly SessionRow[], position?: Position): Promise<void>;
  /**
   * Builds a session's row from all its facts and saves it. Nothing is added, changed or erased in
   * between. `build` gets the facts in order of arrival, must not query the store, and may be called
   * again; its result is saved unless undefined.
   */
  buildSessionRow(
    sessionId: string,
    build: (facts: Iterable<HooklineEvent>) => SessionRow | undefined,
  ): Promise<void>;
  sessionRows(query: SessionRowQuery): Promise<string[]>;
  /** Session ids with this prefix. */
  sessionIds(prefix: string, limit: number): Promise<string[]>;
  /** Sessions that have facts but no row yet, newest first. */
  sessionsWithoutRow(limit: number): Promise<string[]>;
  monitorPosition(): Promise<Position | undefined>;
  /**
   * Call before rows are read or built. Without a saved position, what the rows lack is unknown: they are
   * dropped, and the store's own position is saved, which rows built from now on cover.
   */
  resetStaleRows(): Promise<void>;
  /** A session's facts in order of arrival. */
  sessionFacts(sessionId: string): Promise<HooklineEvent[]>;
  /** The seqs of a session's facts, for callers that must not load all facts at once. */
  sessionSeqs(sessionId: string): Promise<number[]>;
  /** Omits facts that were erased since their seq was read. */
  factsAt(seqs: readonly number[]): Promise<HooklineEvent[]>;
  /** Those of these ids that hooks reported in full, including the text shown to the model. */
  completeFromHooks(ids: readonly string[]): Promise<string[]>;
  /** A page of facts of one type at or after a time, in time order. */
  factsSince(query: FactsSinceQuery): Promise<FactPage>;
  /** The time of the first fact at or after a time that any query below covers. */
  firstUseSince(iso: string): Promise<string | null>;
  /** Token usage in [from, to), summed by session, hour, project and everything the price depends on. */
  usageBetween(fromIso: string, toIso: string): Promise<UsageRow[]>;
  /** Messages at or after a time that also called another model. */
  advisorMessagesSince(iso: string): Promise<HooklineEvent[]>;
  /** All cost totals that agents wrote for sessions with at least one at or after a time. */
  costStatesSince(iso: string): Promise<HooklineEvent[]>;
  /** For those of these sessions that started as copies of others: the time of the last copied message. */
  copiedUntil(sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Token usage in [from, to), limited to the given spans of sessions. */
  usageWithin(fromIso: string, toIso: string, spans: readonly UsageSpan[]): Promise<SpanUsageRow[]>;
  /** Turns started by people in [from, to), by session, hour and project. */
  turnsBetween(fromIso: string, toIso: string): Promise<TurnCountRow[]>;
  /** Calls that ended in [from, to), by tool. */
  toolsBetween(fromIso: string, toIso: string): Promise<ToolCountRow[]>;
  /** Failed calls in [from, to), with the fields that show whether they were denied. */
  failedCallsBetween(fromIso: string, toIso: string): Promise<FailedCallRow[]>;
  /** Waits that started or lasted at or after a time. */
  waitsSince(iso: string): Promise<WaitRow[]>;
}

/** Queries the current store, which may change between calls. */
export type WithSessionRows = <T>(work: (rows: SessionRows) => Promise<T>) => Promise<T>;

export interface FactsSinceQuery {
  readonly sinceIso: string;
  readonly type: string;
  /** `next` of the previous page. */
  readonly after?: FactCursor | undefined;
  readonly limit: number;
}

export interface FactPage {
  readonly facts: readonly HooklineEvent[];
  /** Null on the last page. */
  readonly next: FactCursor | null;
}

export interface FactCursor {
  readonly iso: string;
  readonly seq: number;
}

export interface SessionRow {
  readonly sessionId: string;
  readonly lastEventIso: string;
  readonly state: string;
  readonly needsPerson: boolean;
  readonly provider: string;
  readonly projectPath: string | null;
  readonly searchText: string;
  readonly json: string;
  readonly waits: readonly WaitRow[];
}

/** Token usage of messages, with everything their price depends on. */
export interface UsageAmounts {
  readonly model: string;
  readonly speed: string | null;
  readonly geo: string | null;
  /** Prompt size: the number of whole hundred thousands of tokens strictly below it. */
  readonly size: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly webSearches: number;
}

/** `hour` is the first 13 characters of an ISO time. */
export interface UsageRow extends UsageAmounts {
  readonly sessionId: string;
  readonly hour: string;
  readonly projectPath: string | null;
}

/** A time span of a session, both ends inclusive. */
export interface UsageSpan {
  readonly sessionId: string;
  readonly fromIso: string;
  readonly untilIso: string;
}

/** `span` is the index of the span in the query. */
export interface SpanUsageRow extends UsageAmounts {
  readonly span: number;
}

export interface TurnCountRow {
  readonly sessionId: string;
  readonly hour: string;
  readonly projectPath: string | null;
  readonly count: number;
}

export interface ToolCountRow {
  readonly toolName: string;
  readonly count: number;
}

/** Fields as in the event; null where absent. */
export interface FailedCallRow {
  readonly toolName: string;
  readonly denial: unknown;
  readonly permissionDecision: { readonly decision: unknown };
  readonly payload: {
    readonly success: false;
    readonly errorMessage: unknown;
    readonly toolOutput: unknown;
    readonly metadata: { readonly exitCode: unknown };
  };
}

export interface WaitRow {
  readonly sessionId: string;
  readonly waitId: string;
  readonly kind: string;
  readonly projectPath: string | null;
  readonly text: string;
  readonly startedAtIso: string;
  readonly endedAtIso: string | null;
}

/** Rows by their last event, newest first. */
export interface SessionRowQuery {
  readonly states?: readonly string[] | undefined;
  readonly needsPerson?: boolean | undefined;
  readonly project?: string | undefined;
  readonly provider?: string | undefined;
  readonly search?: string | undefined;
  readonly sinceIso?: string | undefined;
  /** Only rows after this one. */
  readonly after?: { readonly lastEventIso: string; readonly sessionId: string } | undefined;
  readonly except?: readonly string[] | undefined;
  readonly limit: number;
}
