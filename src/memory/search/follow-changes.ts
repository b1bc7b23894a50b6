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
  const place = readPosition(db, epoch);
  const rows = await source.changes(epoch, place.cursor, limits.items);
  if (rows === null) return { changes: [], isCaughtUp: false };
  if (rows.length === 0) return place.isResync ? sweep(db, source, place, limits) : NOTHING;
  const until = limits.now() + limits.ms;
  const changes: DocumentChange[] = [];
  let taken = 0;
  db.transaction(() => {
    for (const row of rows) {
      changes.push(applyChange(db, row, place.generation));
      taken = row.change;
      if (limits.now() >= until) break;
    }
    writePosition(db, { ...place, cursor: taken });
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

const NOTHING: FollowStep = { changes: [], isCaughtUp: true };

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
  place: SyncPosition,
  limits: { readonly items: number; readonly isLast?: boolean },
): Promise<FollowStep> {
  if (limits.isLast !== true && (await source.hasPendingItems())) return NOTHING;
  const gone = db
    .sql("SELECT item_id FROM docs WHERE generation <> ? LIMIT ?")
    .all(place.generation, limits.items)
    .map((row) => row["item_id"] as number);
  return db.transaction(() => {
    if (gone.length === 0) writePosition(db, { ...place, isResync: false });
    return { changes: gone.map((itemId) => removeDocument(db, itemId)), isCaughtUp: gone.length === 0 };
  });
}

function readPosition(db: IndexDb, epoch: string): SyncPosition {
  const saved = db.meta("place");
  if (saved === null) return { epoch, cursor: 0, generation: 1, isResync: false };
  const place = JSON.parse(saved) as SyncPosition;
  return place.epoch === epoch
    ? place
    : { epoch, cursor: 0, generation: place.generation + 1, isResync: true };
}

function writePosition(db: IndexDb, place: SyncPosition): void {
  db.setMeta("place", JSON.stringify(place));
}
