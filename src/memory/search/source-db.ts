import { existsSync, statSync } from "node:fs";
import { type Database, openDatabase } from "../../store/sqlite/database.ts";
import type { DocumentRow } from "./document.ts";

/** hookline.db as the index reads it. A rebuild puts another file in its place: then that one is read. */
export interface SourceDb {
  /** Tells one database from the one a rebuild makes; null while there is none. */
  epoch(): string | null;
  countAfter(change: number): number;
  /** What changed after this, in order. */
  changes(after: number, limit: number): Change[];
  rows(ids: readonly number[]): ItemSourceRow[];
  /** Whether memory has still to make items of what is recorded. */
  isMaking(): boolean;
  close(): void;
}

export interface Change {
  readonly change: number;
  readonly itemId: number;
  /** Null: it is gone. */
  readonly row: DocumentRow | null;
}

export interface ItemSourceRow extends DocumentRow {
  readonly prompt_number: number | null;
}

export function openSourceDb(path: string): SourceDb {
  let open: { readonly db: Database; readonly file: string } | null = null;
  const current = (): Database | null => {
    const file = fileIdentity(path);
    if (open !== null && open.file === file) return open.db;
    open?.db.close();
    open = null;
    if (file === null) return null;
    open = { db: openDatabase(path, { readOnly: true }), file };
    return open.db;
  };
  return {
    epoch: () => (current()?.sql("SELECT epoch FROM memory_epoch").get()?.["epoch"] ?? null) as string | null,
    countAfter: (change) =>
      Number(
        current()?.sql("SELECT count(*) AS n FROM memory_changes WHERE change > ?").get(change)?.["n"] ?? 0,
      ),
    changes(after, limit) {
      const rows = current()?.sql(CHANGES).all(after, limit) ?? [];
      return rows.map((row) => ({
        change: row["change"] as number,
        itemId: row["item_id"] as number,
        row: row["id"] === null ? null : (row as unknown as DocumentRow),
      }));
    },
    rows(ids) {
      const rows = current()?.sql(ROWS).all(JSON.stringify(ids)) ?? [];
      return rows as unknown as ItemSourceRow[];
    },
    isMaking: () => current()?.sql("SELECT 1 FROM memory_outbox LIMIT 1").get() !== undefined,
    close() {
      open?.db.close();
      open = null;
    },
  };
}

const COLUMNS = `m.id, m.kind, m.session_id, m.project, m.prompt_number, m.tool_name, m.branch, m.success, m.created_at,
  m.pinned, m.content_json, m.summary_json`;

const CHANGES = `SELECT c.change, c.item_id, ${COLUMNS}, f.payload_json
  FROM memory_changes c LEFT JOIN memory_items m ON m.id = c.item_id
    LEFT JOIN facts f ON f.observation_id = m.id AND m.kind = 'observation'
  WHERE c.change > ? ORDER BY c.change LIMIT ?`;

const ROWS = `SELECT ${COLUMNS}, NULL AS payload_json FROM memory_items m WHERE m.id IN (SELECT value FROM json_each(?))`;

function fileIdentity(path: string): string | null {
  if (!existsSync(path)) return null;
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
}
