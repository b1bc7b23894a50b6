import type { SearchFilters } from "../memory-contract.ts";
import { type ColumnFilter, FILTER_COLUMNS, type FilterColumn } from "./columns.ts";
import type { IndexDb } from "./index-db.ts";
import { findFiles, findNames } from "./index-names.ts";

/** A request's filters as the index's numbers, for both search methods. */
export interface ResolvedFilter extends ColumnFilter {
  readonly files?: readonly number[];
}

/** Returns null when nothing can pass. */
export function resolveFilter(
  db: IndexDb,
  filters: SearchFilters,
  exceptItems: readonly number[] = [],
): ResolvedFilter | null {
  const equal: Partial<Record<FilterColumn, readonly number[]>> = {};
  for (const column of FILTER_COLUMNS) {
    const value = filters[column];
    if (value === undefined) continue;
    const ids = typeof value === "boolean" ? [Number(value)] : findNames(db, column as never, value);
    if (ids.length === 0) return null;
    equal[column] = ids;
  }
  const files = filters.file === undefined ? undefined : findFiles(db, filters.file);
  if (files?.length === 0) return null;
  return {
    equal,
    sinceMs: parseTimeMs(filters.sinceIso),
    untilMs: parseTimeMs(filters.untilIso),
    ...(files !== undefined && { files, only: docsOf(db, files) }),
    ...(exceptItems.length > 0 && { except: docsOfItems(db, exceptItems) }),
  };
}

function parseTimeMs(iso: string | undefined): number | undefined {
  const ms = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isFinite(ms) ? ms : undefined;
}

function docsOf(db: IndexDb, files: readonly number[]): number[] {
  return db
    .sql("SELECT DISTINCT doc FROM doc_files WHERE file IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(files))
    .map((row) => row["doc"] as number);
}

function docsOfItems(db: IndexDb, items: readonly number[]): number[] {
  return db
    .sql("SELECT doc FROM docs WHERE item_id IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(items))
    .map((row) => row["doc"] as number);
}
