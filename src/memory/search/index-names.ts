import { basename } from "node:path";
import type { IndexDb } from "./index-db.ts";

/** Names and files by their number in search.db, so that documents store and compare small integers. */

export type NameKind = "kind" | "type" | "session" | "project" | "tool" | "branch" | "model";

export function nameId(db: IndexDb, kind: NameKind, text: string): number {
  const row = db.sql("SELECT id FROM names WHERE what = ? AND text = ?").get(kind, text);
  if (row !== undefined) return row["id"] as number;
  return Number(db.sql("INSERT INTO names (what, text) VALUES (?, ?)").run(kind, text).lastInsertRowid);
}

/** Names equal to this text; for a project also those whose path ends with it. */
export function findNames(db: IndexDb, kind: NameKind, text: string): number[] {
  const rows =
    kind === "project"
      ? db
          .sql("SELECT id, text FROM names WHERE what = 'project'")
          .all()
          .filter((row) => isPathOrSuffix(row["text"] as string, text))
      : db.sql("SELECT id FROM names WHERE what = ? AND text = ?").all(kind, text);
  return rows.map((row) => row["id"] as number);
}

export function fileId(db: IndexDb, path: string): number {
  const row = db.sql("SELECT id FROM files WHERE path = ?").get(path);
  if (row !== undefined) return row["id"] as number;
  const inserted = db.sql("INSERT INTO files (path, name) VALUES (?, ?)").run(path, basename(path));
  return Number(inserted.lastInsertRowid);
}

export function findFiles(db: IndexDb, path: string): number[] {
  return db
    .sql("SELECT id, path FROM files WHERE name = ?")
    .all(basename(path))
    .filter((row) => isPathOrSuffix(row["path"] as string, path))
    .map((row) => row["id"] as number);
}

/** Removes names that no document uses: a name is text, too. */
export function dropUnusedNames(db: IndexDb): void {
  db.sql("DELETE FROM files WHERE id NOT IN (SELECT file FROM doc_files)").run();
  for (const kind of ["session", "project", "tool", "branch"] as const) {
    db.sql(
      `DELETE FROM names WHERE what = ? AND id NOT IN (SELECT ${kind} FROM docs WHERE ${kind} IS NOT NULL)`,
    ).run(kind);
  }
}

function isPathOrSuffix(path: string, end: string): boolean {
  const normalized = end.replace(/\/+$/, "");
  return path === normalized || path.endsWith(`/${normalized.replace(/^\.?\//, "")}`);
}
