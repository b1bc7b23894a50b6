import type { HooklineEvent } from "../event/event.ts";
import type { CallIdentity } from "../event/ids.ts";

/**
 * What the store keeps for memory. The rows are memory's; the store does not know what they say.
 * - Each answer is of one moment: it has all that was written before it was asked for, and nothing by halves.
 * - Between two answers others may write. Whatever an item is made of asks for it anew when it changes (`OutboxEntry`),
 *   so that one made of two moments is soon made again.
 */
export interface MemoryRows {
  /**
   * What is still to be made, at most so many. One reader makes items at a time: whoever reads the outbox makes that
   * of the one before worthless.
   */
  outbox(limit: number): Promise<Outbox>;
  outboxSize(): Promise<number>;
  /**
   * Writes what was made of entries of the outbox and takes these off, all of it or nothing.
   * - An entry that was asked for again after the outbox was read stays on it: it is made once more.
   * - False, and nothing is written, when anything was removed or forgotten since then, when the outbox was read
   *   again, or when it is another database by now: what was made may tell what must be gone. It is to be made anew.
   */
  write(made: MemoryWrite, read: OutboxStamp): Promise<boolean>;
  fact(id: string): Promise<HooklineEvent | undefined>;
  /** The id of the observation of a call, none when it leaves none, and the number of its prompt. */
  placeOf(factId: string): Promise<Place>;
  callFactId(call: CallIdentity): Promise<string | undefined>;
  /** The facts of these types of one turn, in order of time; between two times, if they are given. */
  turnFacts(query: TurnQuery): Promise<HooklineEvent[]>;
  /** What was made of the calls of a turn, in order of time. */
  turnItems(sessionId: string, promptId: string): Promise<ItemRow[]>;
  /** The user's prompts of a turn, as `user_prompts` has them; by the fact's id where the turn has none. */
  prompts(sessionId: string, turn: { promptId: string } | { factId: string }): Promise<PromptRow[]>;
  /** What makes an item again: a call, or a turn. None for one that was imported. */
  sourceOf(item: Pick<ItemRow, "id" | "kind" | "sessionId">): Promise<OutboxEntry | undefined>;
  /** What others than our rules said of an item. */
  toldOf(itemId: number): Promise<ToldOfItem>;
  items(ids: readonly number[]): Promise<ItemRow[]>;
  /** The newest first. */
  recentItems(query: RecentQuery): Promise<ItemRow[]>;
  /** Around an item, in order of time, itself included. */
  neighbours(query: NeighbourQuery): Promise<ItemRow[]>;
  /** The next items in order of their ids; none after the last. `undefined`: from the first. */
  itemsAfter(itemId: number | undefined, limit: number): Promise<ItemRow[]>;
  injections(query: InjectionQuery): Promise<InjectionRow[]>;
  /** Folders of projects that have items, the newest first; with a name, those that are it or end with it. */
  projects(name?: string): Promise<string[]>;
  /** What the tool was given and gave back. */
  callOf(observationId: number): Promise<CallContent | undefined>;
  /** The session of a row of `sdk_sessions`. */
  sessionOf(rowId: number): Promise<string | undefined>;
  sessionRow(sessionId: string): Promise<SessionPlace | undefined>;
  /** Of a session that was told of: where it stands. */
  toldSession(sessionId: string): Promise<ToldSession | undefined>;
  /** When the session's context was last made short; null: never. */
  lastCompaction(sessionId: string): Promise<string | null>;
  /** The turn a session is in, or was in last. */
  latestTurn(sessionId: string): Promise<string | null>;
}

export interface Outbox {
  readonly entries: readonly OutboxEntry[];
  readonly stamp: OutboxStamp;
}

/** When an outbox was read. Says nothing to others than the store that gave it. */
export type OutboxStamp = number & { readonly ofOutbox: unique symbol };

export interface ToldOfItem {
  readonly made: readonly MadeRow[];
  readonly mark: MarkRow | undefined;
}

export interface CallContent {
  readonly input: unknown;
  readonly output: string | null;
}

export interface Place {
  readonly observationId: number | null;
  readonly promptNumber: number | null;
}

export interface SessionPlace {
  readonly rowId: number;
  readonly project: string | null;
  readonly promptCounter: number;
}

export interface ToldSession {
  readonly cwd: string | null;
  /** How many are numbered. */
  readonly prompts: number;
  /** Of its last prompt. */
  readonly promptId: string | null;
  readonly isPrivate: boolean;
  /** The agent's own hooks or transcript tell of it: what others say of it is known, under other ids. */
  readonly tellsItself: boolean;
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
 * `call`: the id of a tool_observation. `message`: of an assistant.message. `turn`: session and prompt, by a newline.
 * `made`, `mark`, `injected`: of an event that memory itself wrote.
 */
export interface OutboxEntry {
  readonly kind: "call" | "message" | "turn" | "made" | "mark" | "injected";
  readonly key: string;
}

export interface MemoryWrite {
  readonly done: readonly OutboxEntry[];
  readonly items?: readonly ItemRow[];
  /** Items that are no longer: a call that turned out to be private. */
  readonly gone?: readonly number[];
  readonly summaries?: readonly SummaryRow[];
  readonly made?: readonly MadeRow[];
  readonly marks?: readonly MarkRow[];
  readonly injections?: readonly InjectionRow[];
  /** More to make. */
  readonly again?: readonly OutboxEntry[];
}

/** `contentJson` and `summaryJson` are memory's own. */
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

export interface RecentQuery {
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
  /** Only neighbours of this type; the item itself is there whatever its type. */
  readonly type?: string | undefined;
}
