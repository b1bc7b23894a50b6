import type { RecallQuery, Tombstones } from "../capture/recall.ts";
import type { HooklineEvent } from "../event/event.ts";
import { factId } from "../event/ids.ts";
import type { TextFinder } from "../privacy/forgotten-text.ts";
import type { ForgetRequest } from "./forget-request.ts";

/**
 * Tombstones, and what is still to be erased from the database.
 * - Once `addTombstones` resolves, the content stays out, whichever source reports it again.
 * - `erase` works in atomic slices and yields in between. If interrupted, it can be restarted: what is
 * erased stays erased.
 * - Memory cannot write after an erasure what it read before it (`MemoryRows.write`).
 * Callers must serialize their calls.
 */
export interface Forgetting {
  /** The tombstones among these ids; undefined while nothing was ever forgotten. Called once per batch. */
  tombstones(query: Pick<RecallQuery, "factIds" | "sessionIds">): Promise<Tombstones | undefined>;
  /** Resolves a request. `logged` are facts whose text is found in the log, but no longer in the database. */
  find(
    request: ForgetRequest,
    finder: TextFinder | undefined,
    logged: ReadonlySet<string>,
  ): Promise<ForgetTargets>;
  /** The number of matching facts, and of memory items that depend on them. */
  count(found: ForgetTargets): Promise<{ readonly facts: number; readonly items: number }>;
  /** Stores the tombstones of an event. Idempotent. */
  addTombstones(event: HooklineEvent): Promise<void>;
  /** Tombstones whose erasure was requested and is not done. */
  pendingErasures(): Promise<HooklineEvent[]>;
  sessionsOf(facts: Iterable<string>): Promise<string[]>;
  /** Removes the content from rows and everything derived from them. */
  erase(erasure: StoreErasure): Promise<void>;
  /** Rewrites the whole database, so that no free page holds old content. */
  compact(): Promise<CompactOutcome>;
}

/** The targets of a request: whole sessions, facts of others, and items that must not be rebuilt. */
export interface ForgetTargets {
  readonly facts: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
  /** Items selected by id. */
  readonly items: ReadonlySet<number>;
}

export interface StoreErasure {
  readonly facts: ReadonlySet<string>;
  /** Whole sessions, each with the time up to which it is erased. */
  readonly sessions: ReadonlyMap<string, string>;
  /** Facts the log still records without content. The log no longer mentions the others. */
  readonly stillLogged: ReadonlySet<string>;
  readonly guards: readonly TextFinder[];
}

/** `busy`: readers are active, a retry may succeed. `full`: not enough disk space. */
export type CompactOutcome = "done" | "busy" | "full";

/** The id of the event that marks an erasure as done, so that a rebuild does not repeat it. */
export function erasureDoneId(requestId: string): string {
  return factId("memory.forgotten", "done", requestId);
}
