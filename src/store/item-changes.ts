import type { ItemRow } from "./memory-rows.ts";

/**
 * The items of memory as an index follows them, which may do so from a thread of its own.
 * - Every item that is made, changed or removed is told once more, under a greater number than all before it.
 * - A database that was made again has another epoch and numbers its changes anew: then it is followed from 0.
 */
export interface ItemChanges {
  /** Tells one database from the one a rebuild makes; null while there is none. */
  epoch(): Promise<string | null>;
  countAfter(change: number): Promise<number>;
  /** What changed after this, in order; null when the database is not of this epoch any more. */
  changes(epoch: string, after: number, limit: number): Promise<ItemChange[] | null>;
  /** Those that are there, without `payloadJson`. */
  items(ids: readonly number[]): Promise<IndexedItem[]>;
  /** Whether memory has still to make items of what is recorded. */
  isMaking(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ItemChange {
  readonly change: number;
  readonly itemId: number;
  /** Null: it is gone. */
  readonly item: IndexedItem | null;
}

export interface IndexedItem extends Omit<ItemRow, "type" | "title" | "madeBy"> {
  /** What the tool was given and gave back, if it is of a tool use. */
  readonly payloadJson: string | null;
}

/** How another thread opens them: the file of a module that has `openItemChanges`, and what to open. */
export interface ItemChangesPlace {
  readonly module: string;
  readonly at: string;
}

export interface ItemChangesModule {
  openItemChanges(at: string): ItemChanges;
}
