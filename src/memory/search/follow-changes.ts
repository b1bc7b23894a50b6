import type { IndexedItem, ItemChange, ItemChanges } from "../../store/item-changes.ts";
import { type SearchDocument, toDocument } from "./document.ts";
import type { IndexDb } from "./index-db.ts";
import { type DocumentChange, putDocument, removeDocument } from "./put-document.ts";

/** The result of one step of following changes. */
export interface FollowStep {
  readonly changes: readonly DocumentChange[];
  /** No changes are left to apply. */
  readonly isCaughtUp: boolean;
}

/**
 * Applies the next changes and saves its position in one transaction: a kill leaves both or neither. A
 * database with another epoch is followed from the start; unchanged documents stay, and missing ones are
 * dropped at the end (not before memory has rebuilt its items, or all would be embedded again).
 */
export async function followStep(
  db: IndexDb,
  source: ItemChanges,
  limits: {
    readonly items: number;
    readonly ms: number;
    readonly now: () => number;
    readonly isLast?: boolean;
  },
): Promise<FollowStep> {
  const epoch = await source.epoch();
  if (epoch === null) return { changes: [], isCaughtUp: true };
  const position = readPosition(db, epoch);
  const rows = await source.changes(epoch, position.cursor, limits.items);
  if (rows === null) return { changes: [], isCaughtUp: false };
  if (rows.length === 0) return position.isResync ? sweep(db, source, position, limits) : CAUGHT_UP;
  const deadlineMs = limits.now() + limits.ms;
  const changes: DocumentChange[] = [];
  let lastChange = 0;
  db.transaction(() => {
    for (const row of rows) {
      changes.push(applyChange(db, row, position.generation));
      lastChange = row.change;
      if (limits.now() >= deadlineMs) break;
    }
    writePosition(db, { ...position, cursor: lastChange });
  });
  return { changes, isCaughtUp: false };
}

/** Counts changes that are not applied yet. */
export async function countWaiting(db: IndexDb, source: ItemChanges): Promise<number> {
  const epoch = await source.epoch();
  return epoch === null ? 0 : await source.countAfter(readPosition(db, epoch).cursor);
}

interface SyncPosition {
  readonly epoch: string;
  readonly cursor: number;
  /** Generation of the documents seen in this database. */
  readonly generation: number;
  readonly isResync: boolean;
}

const CAUGHT_UP: FollowStep = { changes: [], isCaughtUp: true };

function applyChange(db: IndexDb, { itemId, item }: ItemChange, generation: number): DocumentChange {
  const document = item === null ? null : readDocument(item);
  return document === null ? removeDocument(db, itemId) : putDocument(db, document, generation);
}

/** An unreadable item counts as deleted, and must not block those after it. */
function readDocument(item: IndexedItem): SearchDocument | null {
  try {
    return toDocument(item);
  } catch {
    return null;
  }
}

async function sweep(
  db: IndexDb,
  source: ItemChanges,
  position: SyncPosition,
  limits: { readonly items: number; readonly isLast?: boolean },
): Promise<FollowStep> {
  if (limits.isLast !== true && (await source.hasPendingItems())) return CAUGHT_UP;
  const missing = db
    .sql("SELECT item_id FROM docs WHERE generation <> ? LIMIT ?")
    .all(position.generation, limits.items)
    .map((row) => row["item_id"] as number);
  return db.transaction(() => {
    if (missing.length === 0) writePosition(db, { ...position, isResync: false });
    return { changes: missing.map((itemId) => removeDocument(db, itemId)), isCaughtUp: missing.length === 0 };
  });
}

function readPosition(db: IndexDb, epoch: string): SyncPosition {
  const saved = db.meta("place");
  if (saved === null) return { epoch, cursor: 0, generation: 1, isResync: false };
  const position = JSON.parse(saved) as SyncPosition;
  return position.epoch === epoch
    ? position
    : { epoch, cursor: 0, generation: position.generation + 1, isResync: true };
}

function writePosition(db: IndexDb, position: SyncPosition): void {
  db.setMeta("place", JSON.stringify(position));
}
