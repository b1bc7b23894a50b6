import type { HooklineEvent } from "../event/event.ts";
import type { CallIdentity } from "../event/ids.ts";

/**
 * What the store holds for memory. The rows belong to memory; the store does not interpret them.
 * - Each result is a consistent snapshot: everything written before the call, and nothing partial.
 * - Others may write between two calls. A change to any source of an item requeues it (`OutboxEntry`), so an
 *   item built from two snapshots is soon rebuilt.
 */
export interface MemoryRows {
  /**
   * Pending entries, at most `limit`. Only one reader builds items at a time: reading the outbox invalidates
   * the stamp of the previous read.
   */
  outbox(limit: number): Promise<Outbox>;
  outboxSize(): Promise<number>;
  /**
   * Writes the items built from outbox entries and removes the entries, atomically.
   * - An entry that was queued again after the outbox was read stays and is built once more.
   * - False, with nothing written, if anything was removed or forgotten since the read, the outbox was read
   *   again, or the database was replaced: the items may contain erased content and must be rebuilt.
   */
  write(write: MemoryWrite, stamp: OutboxStamp): Promise<boolean>;
  fact(id: string): Promise<HooklineEvent | undefined>;
  /** The observation id of a call (none if it leaves no observation) and the number of its prompt. */
  observationRefOf(factId: string): Promise<ObservationRef>;
  callFactId(call: CallIdentity): Promise<string | undefined>;
  /** The facts of these types in one turn, in time order, optionally between two times. */
  turnFacts(query: TurnQuery): Promise<HooklineEvent[]>;
  /** The items built from the calls of a turn, in time order. */
  turnItems(sessionId: string, promptId: string): Promise<ItemRow[]>;
  /** The user's prompts of a turn, as in `user_prompts`; looked up by fact id where the turn has no id. */
  prompts(sessionId: string, turn: { promptId: string } | { factId: string }): Promise<PromptRow[]>;
  /** The entry that rebuilds an item: a call or a turn. None for an imported item. */
  sourceOf(item: Pick<ItemRow, "id" | "kind" | "sessionId">): Promise<OutboxEntry | undefined>;
  /** Overrides of an item that do not come from our rules. */
  overridesOf(itemId: number): Promise<ItemOverrides>;
  items(ids: readonly number[]): Promise<ItemRow[]>;
  /** Newest first. */
  recentItems(query: RecentItemsQuery): Promise<ItemRow[]>;
  /** The items around an item in time order, including itself. */
  neighbours(query: NeighbourQuery): Promise<ItemRow[]>;
  /** The next items by id; none after the last. `undefined`: from the first. */
  itemsAfter(itemId: number | undefined, limit: number): Promise<ItemRow[]>;
  injections(query: InjectionQuery): Promise<InjectionRow[]>;
  /** Project folders that have items, newest first; with a name, those that equal it or end with it. */
  projects(name?: string): Promise<string[]>;
  /** The tool's input and output. */
  callOf(observationId: number): Promise<CallContent | undefined>;
  /** The session of a row of `sdk_sessions`. */
  sessionIdOf(rowId: number): Promise<string | undefined>;
  sessionRow(sessionId: string): Promise<SdkSessionRow | undefined>;
  /** The status of a session with recorded events. */
  recordedSession(sessionId: string): Promise<RecordedSession | undefined>;
  /** When the session's context was last compacted; null: never. */
  lastCompaction(sessionId: string): Promise<string | null>;
  /** The current or last turn of a session. */
  latestTurn(sessionId: string): Promise<string | null>;
}

export interface Outbox {
  readonly entries: readonly OutboxEntry[];
  readonly stamp: OutboxStamp;
}

/** Identifies one read of the outbox. Opaque to everyone but the store that issued it. */
export type OutboxStamp = number & { readonly ofOutbox: unique symbol };

export interface ItemOverrides {
  readonly made: readonly MadeRow[];
  readonly mark: MarkRow | undefined;
  /** Forgotten by id: it is not rebuilt. */
  readonly isForgotten: boolean;
}

export interface CallContent {
  readonly input: unknown;
  readonly output: string | null;
}

export interface ObservationRef {
  readonly observationId: number | null;
  readonly promptNumber: number | null;
}

export interface SdkSessionRow {
  readonly rowId: number;
  readonly project: string | null;
  readonly promptCounter: number;
}

export interface RecordedSession {
  readonly cwd: string | null;
  /** The number of numbered prompts. */
  readonly prompts: number;
  /** The id of its last prompt. */
  readonly promptId: string | null;
  readonly isPrivate: boolean;
  /** The agent's own hooks or transcript report it: reports of others are duplicates under other ids. */
  readonly isSelfReported: boolean;
}

export interface TurnQuery {
  readonly sessionId: string;
  readonly promptId: string;
  readonly types: readonly string[];
  readonly sinceIso?: string;
  readonly untilIso?: string;
  readonly limit: number;
}

export interface InjectionQuery {
  readonly sessionId?: string | undefined;
  readonly project?: string | undefined;
  readonly limit: number;
}

/**
 * `call`: id of a tool_observation. `message`: of an assistant.message. `turn`: session and prompt, joined by
 * a newline. `made`, `mark`, `injected`: of an event written by memory itself.
 */
export interface OutboxEntry {
  readonly kind: "call" | "message" | "turn" | "made" | "mark" | "injected";
  readonly key: string;
}

export interface MemoryWrite {
  readonly done: readonly OutboxEntry[];
  readonly items?: readonly ItemRow[];
  /** Items to remove: a call that turned out to be private. */
  readonly removed?: readonly number[];
  readonly summaries?: readonly SummaryRow[];
  readonly made?: readonly MadeRow[];
  readonly marks?: readonly MarkRow[];
  readonly injections?: readonly InjectionRow[];
  /** Further entries to build. */
  readonly requeue?: readonly OutboxEntry[];
}

/** `contentJson` and `summaryJson` are opaque to the store. */
export interface ItemRow {
  readonly id: number;
  readonly kind: string;
  readonly sessionId: string;
  readonly project: string | null;
  readonly promptNumber: number | null;
  readonly toolName: string | null;
  readonly type: string;
  readonly title: string;
  readonly branch: string | null;
  readonly success: boolean | null;
  readonly createdAtIso: string;
  readonly madeBy: string;
  readonly pinned: boolean;
  readonly contentJson: string;
  readonly summaryJson: string | null;
}

export interface SummaryRow {
  readonly id: number;
  readonly sessionId: string;
  readonly request: string | null;
  readonly investigated: string | null;
  readonly learned: string | null;
  readonly completed: string | null;
  readonly nextSteps: string | null;
  readonly createdAtIso: string;
}

export interface PromptRow {
  readonly id: number;
  readonly promptNumber: number;
  readonly prompt: string;
  readonly createdAtIso: string;
}

export interface MadeRow {
  readonly itemId: number;
  readonly madeBy: string;
  readonly sessionId: string;
  readonly factId: string;
  readonly itemJson: string;
}

export interface MarkRow {
  readonly itemId: number;
  readonly sessionId: string;
  readonly pinned: boolean | null;
  readonly pinnedAtIso: string | null;
  readonly editJson: string | null;
  readonly editedAtIso: string | null;
}

export interface InjectionRow {
  readonly id: string;
  readonly sessionId: string;
  readonly project: string | null;
  readonly kind: string;
  readonly atIso: string;
  readonly tokens: number;
  readonly itemsJson: string;
}

export interface RecentItemsQuery {
  readonly project: string | null;
  readonly kinds?: readonly string[];
  readonly types?: readonly string[];
  readonly sinceIso?: string;
  readonly pinned?: boolean;
  readonly limit: number;
}

export interface NeighbourQuery {
  readonly itemId: number;
  readonly before: number;
  readonly after: number;
  readonly within: "session" | "project";
  /** Only neighbours of this type; the item itself is always included. */
  readonly type?: string | undefined;
}
