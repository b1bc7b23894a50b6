import type { RecallQuery, Tombstones } from "../capture/recall.ts";
import type { HooklineEvent } from "../event/event.ts";
import { factId } from "../event/ids.ts";
import type { TextFinder } from "../privacy/forgotten-text.ts";
import type { ForgetRequest } from "./forget-request.ts";

/**
 * What was forgotten, and what of it is still to be cut out of the database.
 * - What `bury` resolved for is kept out from then on, whoever tells it again.
 * - `cut` works in slices, each of which is done wholly or not at all, and lets others ask in between. Cut short, it
 *   can be begun again: what is cut already stays so.
 * - What memory read before a cut, it cannot write after it (`MemoryRows.write`).
 * Only one forgets at a time: whoever calls these takes turns.
 */
export interface Forgetting {
  /** Of these, what must not come back; undefined while nothing ever was forgotten. Asked once for what comes together. */
  tombstones(asked: Pick<RecallQuery, "factIds" | "sessionIds">): Promise<Tombstones | undefined>;
  /** What a request means. `logged` are facts of which the log says it, though the database no longer does. */
  find(request: ForgetRequest, finder: TextFinder | undefined, logged: ReadonlySet<string>): Promise<Found>;
  /** How many facts there are of it, and how many items of memory hang on it. */
  count(found: Found): Promise<{ readonly facts: number; readonly items: number }>;
  /** Takes over the tombstones of an event. A second time it changes nothing. */
  bury(event: HooklineEvent): Promise<void>;
  /** Tombstones whose cutting was asked for and is not done. */
  unfinished(): Promise<HooklineEvent[]>;
  sessionsOf(facts: Iterable<string>): Promise<string[]>;
  /** Takes the content out of rows and of all that was made of them. */
  cut(gone: Gone): Promise<void>;
  /** Writes everything anew, so that no free place holds what was there. */
  compact(): Promise<Compacted>;
}

/** What a request means: whole sessions, and facts of others. */
export interface Found {
  readonly facts: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
}

export interface Gone {
  readonly facts: ReadonlySet<string>;
  /** Whole sessions, each until when. */
  readonly sessions: ReadonlyMap<string, string>;
  /** The facts of which the log still tells, without content. Of the others it tells nothing any more. */
  readonly kept: ReadonlySet<string>;
  readonly guards: readonly TextFinder[];
}

/** `busy`: others read just now, a later try may succeed. `full`: there is no room to do it in. */
export type Compacted = "done" | "busy" | "full";

/** Done is what another event says is done: a rebuild need not do it again. */
export function doneId(askedId: string): string {
  return factId("memory.forgotten", "done", askedId);
}
