import type { IndexedItem, ItemChange, ItemChanges } from "../../store/item-changes.ts";
import { type SearchDocument, toDocument } from "./document.ts";
import type { IndexDb } from "./index-db.ts";
import { type DocumentChange, putDocument, removeDocument } from "./put-document.ts";

/** One step of following what changes. */
export interface FollowStep {
  readonly changes: readonly DocumentChange[];
  /** Nothing is left to take in. */
  readonly isCaughtUp: boolean;
}

/**
 * Takes in the next changes and saves how far it is, in one transaction: a kill leaves both or neither. A database
 * with another epoch is followed from its beginning; what it still has, unchanged, is left as it is, and what it has
 * not is dropped at the end (not before memory has made its items again, or all would be embedded anew).
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
  const place = readPlace(db, epoch);
  const rows = await source.changes(epoch, place.cursor, limits.items);
  if (rows === null) return { changes: [], isCaughtUp: false };
  if (rows.length === 0) return place.isResync ? sweep(db, source, place, limits) : NOTHING;
  const until = limits.now() + limits.ms;
  const changes: DocumentChange[] = [];
  let taken = 0;
  db.transaction(() => {
    for (const row of rows) {
      changes.push(takeIn(db, row, place.generation));
      taken = row.change;
      if (limits.now() >= until) break;
    }
    writePlace(db, { ...place, cursor: taken });
  });
  return { changes, isCaughtUp: false };
}

/** Changes that are not taken in yet. */
export async function countWaiting(db: IndexDb, source: ItemChanges): Promise<number> {
  const epoch = await source.epoch();
  return epoch === null ? 0 : await source.countAfter(readPlace(db, epoch).cursor);
}

interface Place {
  readonly epoch: string;
  readonly cursor: number;
  /** Of the documents that this database was seen to have. */
  readonly generation: number;
  readonly isResync: boolean;
}

const NOTHING: FollowStep = { changes: [], isCaughtUp: true };

function takeIn(db: IndexDb, { itemId, item }: ItemChange, generation: number): DocumentChange {
  const document = item === null ? null : readDocument(item);
  return document === null ? removeDocument(db, itemId) : putDocument(db, document, generation);
}

/** One that cannot be read is as good as gone, and must not stop those after it. */
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
  place: Place,
  limits: { readonly items: number; readonly isLast?: boolean },
): Promise<FollowStep> {
  if (limits.isLast !== true && (await source.isMaking())) return NOTHING;
  const gone = db
    .sql("SELECT item_id FROM docs WHERE generation <> ? LIMIT ?")
    .all(place.generation, limits.items)
    .map((row) => row["item_id"] as number);
  return db.transaction(() => {
    if (gone.length === 0) writePlace(db, { ...place, isResync: false });
    return { changes: gone.map((itemId) => removeDocument(db, itemId)), isCaughtUp: gone.length === 0 };
  });
}

function readPlace(db: IndexDb, epoch: string): Place {
  const saved = db.meta("place");
  if (saved === null) return { epoch, cursor: 0, generation: 1, isResync: false };
  const place = JSON.parse(saved) as Place;
  return place.epoch === epoch
    ? place
    : { epoch, cursor: 0, generation: place.generation + 1, isResync: true };
}

function writePlace(db: IndexDb, place: Place): void {
  db.setMeta("place", JSON.stringify(place));
}
