import { setImmediate as breathe } from "node:timers/promises";
import { type ColumnRow, type Columns, createColumns } from "./columns.ts";
import type { IndexDb } from "./index-db.ts";
import type { DocumentChange } from "./put-document.ts";

/** Loads all codes of a model, in slices between which searches are answered; null while it has none. */
export async function loadColumns(
  db: IndexDb,
  model: number,
  isStopped: () => boolean,
): Promise<Columns | null> {
  const first = db.sql("SELECT length(bin) AS bytes FROM codes WHERE model = ? LIMIT 1").get(model);
  if (first === undefined) return null;
  const last = Number(db.sql("SELECT max(doc) AS last FROM docs").get()!["last"] ?? 0);
  const columns = createColumns((first["bytes"] as number) / 4, last + 1024);
  for (let after = -1; ; ) {
    const rows = db.sql(SLICE_SQL).all(model, after, SLICE_ROWS);
    for (const row of rows) {
      const doc = row["doc"] as number;
      columns.put(doc, row as unknown as ColumnRow);
      const code = toCodeWords(row["bin"] as Uint8Array | null);
      if (code !== null && code.length === columns.wordsPerCode) columns.setCode(doc, code);
    }
    if (rows.length < SLICE_ROWS || isStopped()) return columns;
    after = rows.at(-1)!["doc"] as number;
    await breathe();
  }
}

/** Applies the last step's changes in the file to memory. */
export function applyToColumns(db: IndexDb, columns: Columns, changes: readonly DocumentChange[]): void {
  for (const change of changes) {
    if (change.type === "removed") columns.remove(change.doc);
    if (change.type !== "put") continue;
    const row = db.sql(`SELECT ${COLUMNS} FROM docs d WHERE doc = ?`).get(change.doc);
    if (row === undefined) continue;
    columns.put(change.doc, row as unknown as ColumnRow);
    if (change.isVectorStale) columns.setCode(change.doc, null);
  }
}

const COLUMNS =
  'd.kind, d.type, d.session, d.project, d.tool, d.branch, d.success, d.created_ms AS "createdMs"';
/** Small, because the garbage of a slice is not returned to the system. */
const SLICE_ROWS = 1_000;
const SLICE_SQL = `SELECT d.doc, ${COLUMNS}, c.bin FROM docs d LEFT JOIN codes c ON c.doc = d.doc AND c.model = ?
  WHERE d.doc > ? ORDER BY d.doc LIMIT ?`;

function toCodeWords(bytes: Uint8Array | null): Uint32Array | null {
  if (bytes === null) return null;
  if (bytes.byteOffset % 4 === 0)
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Uint32Array(bytes.slice().buffer);
}
