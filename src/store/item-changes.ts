import type { ItemRow } from "./memory-rows.ts";

/**
 * Memory items as an index follows them, possibly from its own thread.
 * - Every created, changed or removed item is reported under a greater change number than all before.
 * - A rebuilt database has a new epoch and restarts its numbering: followers restart from 0.
 */
export interface ItemChanges {
  /** Distinguishes a database from its rebuilt successor; null while there is none. */
  epoch(): Promise<string | null>;
  countAfter(change: number): Promise<number>;
  /** Changes after this number, in order; null when the database has another epoch. */
  changes(epoch: string, after: number, limit: number): Promise<ItemChange[] | null>;
  /** Those that exist, without `payloadJson`. */
  items(ids: readonly number[]): Promise<IndexedItem[]>;
  /** Whether memory still has items to derive from recorded events. */
  hasPendingItems(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ItemChange {
  readonly change: number;
  readonly itemId: number;
  /** Null: removed. */
  readonly item: IndexedItem | null;
}

export interface IndexedItem extends Omit<ItemRow, "type" | "title" | "madeBy"> {
  /** Input and output of the tool, for an item derived from a tool call. */
  readonly payloadJson: string | null;
  /** The recorded call of an item without success; only in `items`. */
  readonly failedCall: Readonly<Record<string, unknown>> | null;
}

/** How another thread opens the changes: a module that exports `openItemChanges`, and what to open. */
export interface ItemChangesLocation {
  readonly module: string;
  readonly at: string;
}

export interface ItemChangesModule {
  openItemChanges(at: string): ItemChanges;
}
