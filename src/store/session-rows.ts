import type { HooklineEvent } from "../event/event.ts";
import type { Position } from "../log/log.ts";

/** What is kept of sessions for whoever lists them. The rows are the monitor's; the store does not know what they say. */
export interface SessionRows {
  /** Saves rows; with a position, all that the log told up to it is in them. One transaction. */
  saveSessions(rows: readonly SessionRow[], position?: Position): void;
  sessionRows(query: SessionRowQuery): string[];
  sessionRow(sessionId: string): string | undefined;
  /** Session ids that begin with this. */
  sessionIds(prefix: string, limit: number): string[];
  /** Sessions of which there are facts and no row yet, the newest first. */
  unsavedSessions(limit: number): string[];
  monitorPosition(): Position | undefined;
  /** A session's facts in the order of their arrival. */
  sessionFacts(sessionId: string): Iterable<HooklineEvent>;
  /** Their places, and what stands at some of them: for who must not take them all at once. */
  sessionSeqs(sessionId: string): number[];
  factsAt(seqs: readonly number[]): HooklineEvent[];
  /** Of these ids, the facts that hooks have told whole: also the text the model was shown. */
  toldByHooks(ids: readonly string[]): string[];
  /** Facts of these types at or after a time, in the order of time. */
  factsSince(iso: string, types: readonly string[]): Iterable<HooklineEvent>;
  /** When anything of what is asked for below was first told, at or after a time. */
  firstUseSince(iso: string): string | null;
  /** What messages used from a time on and before another: summed by session, hour, project, and all that their price depends on. */
  usageBetween(fromIso: string, toIso: string): UsageRow[];
  /** Messages at or after a time in which another model was asked as well. */
  advisedSince(iso: string): HooklineEvent[];
  /** Turns that people began from a time on and before another, by session, hour and project. */
  turnsBetween(fromIso: string, toIso: string): TurnCountRow[];
  toolsBetween(fromIso: string, toIso: string): ToolCountRow[];
  /** Waits that began or lasted at or after a time. */
  waitsSince(iso: string): WaitRow[];
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

/** `hour` is the first 13 characters of an ISO time. */
export interface UsageRow {
  readonly sessionId: string;
  readonly hour: string;
  readonly projectPath: string | null;
  readonly model: string;
  readonly speed: string | null;
  readonly geo: string | null;
  /** How large each prompt was, in whole hundreds of thousands of tokens below it. */
  readonly size: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly webSearches: number;
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
  readonly failed: number;
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

/** Rows by their last event, the newest first. */
export interface SessionRowQuery {
  readonly states?: readonly string[] | undefined;
  readonly needsPerson?: boolean | undefined;
  readonly project?: string | undefined;
  readonly provider?: string | undefined;
  readonly search?: string | undefined;
  readonly sinceIso?: string | undefined;
  /** Only what comes after this row. */
  readonly after?: { readonly lastEventIso: string; readonly sessionId: string } | undefined;
  readonly except?: readonly string[] | undefined;
  readonly limit: number;
}
