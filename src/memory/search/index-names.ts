import { basename } from "node:path";
import type { IndexDb } from "./index-db.ts";

/** Names and files by their number in search.db, so that documents store and compare small integers. */

export type NameKind = "kind" | "type" | "session" | "project" | "tool" | "branch" | "model";

export function nameId(db: IndexDb, what: NameKind, text: string): number {
  const known = db.sql("SELECT id FROM names WHERE what = ? AND text = ?").get(what, text);
  if (known !== undefined) return known["id"] as number;
  return Number(db.sql("INSERT INTO names (what, text) VALUES (?, ?)").run(what, text).lastInsertRowid);
}

/** Names equal to this text; for a project also those whose path ends with it. */
export function findNames(db: IndexDb, what: NameKind, text: string): number[] {
  const rows =
    what === "project"
      ? db
          .sql("SELECT id, text FROM names WHERE what = 'project'")
          .all()
          .filter((row) => endsPath(row["text"] as string, text))
      : db.sql("SELECT id FROM names WHERE what = ? AND text = ?").all(what, text);
  return rows.map((row) => row["id"] as number);
}

export function fileId(db: IndexDb, path: string): number {
  const known = db.sql("SELECT id FROM files WHERE path = ?").get(path);
  if (known !== undefined) return known["id"] as number;
  const added = db.sql("INSERT INTO files (path, name) VALUES (?, ?)").run(path, basename(path));
  return Number(added.lastInsertRowid);
}

export function findFiles(db: IndexDb, path: string): number[] {
  return db
    .sql("SELECT id, path FROM files WHERE name = ?")
    .all(basename(path))
    .filter((row) => endsPath(row["path"] as string, path))
    .map((row) => row["id"] as number);
}

/** Removes names that no document uses: a name is text, too. */
export function dropUnusedNames(db: IndexDb): void {
  db.sql("DELETE FROM files WHERE id NOT IN (SELECT file FROM doc_files)").run();
  for (const what of ["session", "project", "tool", "branch"] as const) {
    db.sql(
      `DELETE FROM names WHERE what = ? AND id NOT IN (SELECT ${what} FROM docs WHERE ${what} IS NOT NULL)`,
    ).run(what);
  }
}

function endsPath(path: string, end: string): boolean {
  const wanted = end.replace(/\/+$/, "");
  return path === wanted || path.endsWith(`/${wanted.replace(/^\.?\//, "")}`);
}
