import type { HooklineEvent } from "../event/event.ts";
import type { Position } from "../log/log.ts";

/**
 * What is kept of sessions for whoever lists them. The rows are the monitor's; the store does not know what they say.
 * - Each method is atomic: it sees one state of the store, and what it writes is written whole or not at all.
 * - Methods take effect in the order in which they are called, also before the ones called earlier have resolved.
 * - Two calls are not atomic together: anything may be written or erased between them.
 */
export interface SessionRows {
  /** Saves rows; with a position, all that the log told up to it is in them. Both are saved, or neither. */
  saveSessions(rows: readonly SessionRow[], position?: Position): Promise<void>;
  /**
   * Makes a session's row from all its facts and saves it. Nothing is added, changed or erased between the reading and
   * the saving. `make` gets the facts in the order of their arrival, must not ask the store, and may be called again;
   * what it returns is saved, and nothing if that is undefined.
   */
  makeSession(
    sessionId: string,
    make: (facts: Iterable<HooklineEvent>) => SessionRow | undefined,
  ): Promise<void>;
  sessionRows(query: SessionRowQuery): Promise<string[]>;
  /** Session ids that begin with this. */
  sessionIds(prefix: string, limit: number): Promise<string[]>;
  /** Sessions of which there are facts and no row yet, the newest first. */
  unsavedSessions(limit: number): Promise<string[]>;
  monitorPosition(): Promise<Position | undefined>;
  /**
   * Before rows are read or made. Without a saved position nobody knows what they lack: they are dropped, and what is
   * made of the facts from now on has all that the log told up to the store's own position, which is saved.
   */
  placeRows(): Promise<void>;
  /** A session's facts in the order of their arrival. */
  sessionFacts(sessionId: string): Promise<HooklineEvent[]>;
  /** Their places, and what stands at some of them: for who must not take them all at once. */
  sessionSeqs(sessionId: string): Promise<number[]>;
  /** What was erased since its place was asked for is left out. */
  factsAt(seqs: readonly number[]): Promise<HooklineEvent[]>;
  /** Of these ids, the facts that hooks have told whole: also the text the model was shown. */
  toldByHooks(ids: readonly string[]): Promise<string[]>;
  /** A slice of the facts of one type at or after a time, in the order of time. */
  factsSince(query: FactsSince): Promise<FactSlice>;
  /** When anything of what is asked for below was first told, at or after a time. */
  firstUseSince(iso: string): Promise<string | null>;
  /** What messages used from a time on and before another: summed by session, hour, project, and all that their price depends on. */
  usageBetween(fromIso: string, toIso: string): Promise<UsageRow[]>;
  /** Messages at or after a time in which another model was asked as well. */
  advisedSince(iso: string): Promise<HooklineEvent[]>;
  /** Turns that people began from a time on and before another, by session, hour and project. */
  turnsBetween(fromIso: string, toIso: string): Promise<TurnCountRow[]>;
  toolsBetween(fromIso: string, toIso: string): Promise<ToolCountRow[]>;
  /** Waits that began or lasted at or after a time. */
  waitsSince(iso: string): Promise<WaitRow[]>;
}

/** Asks a store, which may be another one the next time. */
export type AskSessionRows = <T>(work: (rows: SessionRows) => Promise<T>) => Promise<T>;

export interface FactsSince {
  readonly sinceIso: string;
  readonly type: string;
  /** `next` of the slice before. */
  readonly after?: FactPlace | undefined;
  readonly limit: number;
}

export interface FactSlice {
  readonly facts: readonly HooklineEvent[];
  /** Null when nothing follows. */
  readonly next: FactPlace | null;
}

export interface FactPlace {
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
