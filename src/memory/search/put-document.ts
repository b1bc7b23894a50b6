import { hash } from "node:crypto";
import type { SearchDocument } from "./document.ts";
import { expandText, FACET_PREFIX } from "./expand-text.ts";
import type { IndexDb } from "./index-db.ts";
import { fileId, nameId } from "./index-names.ts";

/** What happened to a document, for updating the data in memory. */
export type DocumentChange =
  | { readonly type: "same" }
  | { readonly type: "put"; readonly doc: number; readonly isVectorStale: boolean }
  | { readonly type: "removed"; readonly doc: number };

/** Inserts or updates a document, within the caller's transaction. */
export function putDocument(db: IndexDb, document: SearchDocument, generation: number): DocumentChange {
  const { embeddingText, ...indexed } = document;
  const textHash = hashOf(JSON.stringify(indexed));
  const embeddingHash = hashOf(embeddingText);
  const existing = db
    .sql("SELECT doc, generation, text_hash, embedding_hash FROM docs WHERE item_id = ?")
    .get(document.itemId) as ExistingRow | undefined;
  const isVectorStale = existing === undefined || !equalBytes(existing.embedding_hash, embeddingHash);
  if (existing !== undefined && !isVectorStale && equalBytes(existing.text_hash, textHash)) {
    if (existing.generation !== generation)
      db.sql("UPDATE docs SET generation = ? WHERE doc = ?").run(generation, existing.doc);
    return { type: "same" };
  }
  const row = toRow(db, document);
  const doc = existing?.doc ?? nextDoc(db);
  db.sql(
    `INSERT OR REPLACE INTO docs (doc, item_id, generation, kind, type, session, project, tool, branch, success,
       created_ms, pinned, text_hash, embedding_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    doc,
    document.itemId,
    generation,
    row.kind,
    row.type,
    row.session,
    row.project,
    row.tool,
    row.branch,
    row.success,
    document.createdMs,
    document.isPinned ? 1 : 0,
    textHash,
    embeddingHash,
  );
  const files = putFiles(db, doc, document.files, existing !== undefined);
  db.sql(
    "INSERT OR REPLACE INTO words (rowid, title, body, paths, raw, facets) VALUES (?, ?, ?, ?, ?, ?)",
  ).run(
    doc,
    expandText(document.title),
    expandText(document.body),
    expandText(document.files.join("\n")),
    expandText(document.raw),
    facetsOf(row, files),
  );
  if (isVectorStale) {
    if (existing !== undefined) dropVector(db, doc);
    db.sql("INSERT OR IGNORE INTO to_embed (doc) VALUES (?)").run(doc);
  }
  return { type: "put", doc, isVectorStale };
}

export function removeDocument(db: IndexDb, itemId: number): DocumentChange {
  const existing = db.sql("SELECT doc FROM docs WHERE item_id = ?").get(itemId);
  if (existing === undefined) return { type: "same" };
  const doc = existing["doc"] as number;
  db.sql("DELETE FROM docs WHERE doc = ?").run(doc);
  db.sql("DELETE FROM words WHERE rowid = ?").run(doc);
  db.sql("DELETE FROM doc_files WHERE doc = ?").run(doc);
  db.sql("DELETE FROM to_embed WHERE doc = ?").run(doc);
  dropVector(db, doc);
  return { type: "removed", doc };
}

/** The token that a filter matches; the first two letters of `column` identify it. */
export function facetToken(column: string, id: number): string {
  return `${FACET_PREFIX}${column.slice(0, 2)}${id}`;
}

interface ExistingRow {
  readonly doc: number;
  readonly generation: number;
  readonly text_hash: Uint8Array;
  readonly embedding_hash: Uint8Array;
}

function toRow(db: IndexDb, document: SearchDocument) {
  const id = (kind: "project" | "tool" | "branch", text: string | null): number | null =>
    text === null ? null : nameId(db, kind, text);
  return {
    kind: nameId(db, "kind", document.kind),
    type: nameId(db, "type", document.type),
    session: nameId(db, "session", document.session),
    project: id("project", document.project),
    tool: id("tool", document.tool),
    branch: id("branch", document.branch),
    success: document.success === null ? null : Number(document.success),
  };
}

function facetsOf(row: Readonly<Record<string, number | null>>, files: readonly number[]): string {
  const nameFacets = Object.entries(row).filter((entry): entry is [string, number] => entry[1] !== null);
  return [...nameFacets, ...files.map((file): [string, number] => ["file", file])]
    .map(([column, id]) => facetToken(column, id))
    .join(" ");
}

function nextDoc(db: IndexDb): number {
  const last = Number(db.sql("SELECT max(doc) AS last FROM docs").get()!["last"] ?? 0);
  return last + 1;
}

function putFiles(db: IndexDb, doc: number, files: readonly string[], isKnown: boolean): number[] {
  if (isKnown) db.sql("DELETE FROM doc_files WHERE doc = ?").run(doc);
  const ids = files.slice(0, MAX_FILES).map((path) => fileId(db, path));
  for (const id of ids) db.sql("INSERT OR IGNORE INTO doc_files (doc, file) VALUES (?, ?)").run(doc, id);
  return ids;
}

const MAX_FILES = 50;

function dropVector(db: IndexDb, doc: number): void {
  db.sql("DELETE FROM codes WHERE doc = ?").run(doc);
  db.sql("DELETE FROM vectors WHERE doc = ?").run(doc);
}

function hashOf(text: string): Uint8Array {
  return hash("sha256", text, "buffer").subarray(0, 16);
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
