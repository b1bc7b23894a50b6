import { rowConditions } from "./full-text.ts";
import type { IndexDb } from "./index-db.ts";
import type { ResolvedFilter } from "./resolve-filter.ts";

/** Documents that pass a filter, newest first. */
export function newestDocs(db: IndexDb, filter: ResolvedFilter, limit: number): number[] {
  const { sql, values } = rowConditions(filter);
  return db
    .sql(`SELECT d.doc FROM docs d WHERE 1${sql} ORDER BY d.created_ms DESC, d.doc DESC LIMIT ?`)
    .all(...values, limit)
    .map((row) => row["doc"] as number);
}
