import type { ItemChanges } from "../../store/item-changes.ts";
import type { Embedder } from "../embed/embedder.ts";
import { toDocument } from "./document.ts";
import type { IndexDb } from "./index-db.ts";
import { nameId } from "./index-names.ts";
import { toBytes, toCode } from "./quantise.ts";

/**
 * Embeds queued documents, newest first. A document leaves the outbox in the transaction that writes its
 * vector, so a kill in between costs one batch and no document.
 */
export async function embedBatch(
  db: IndexDb,
  source: Pick<ItemChanges, "items">,
  embedder: Embedder,
  limit: number,
): Promise<{ readonly done: readonly { readonly doc: number; readonly code: Uint32Array }[] }> {
  const queued = db
    .sql(
      `SELECT d.doc, d.item_id, d.embedding_hash AS hash FROM to_embed t JOIN docs d ON d.doc = t.doc
         ORDER BY t.doc DESC LIMIT ?`,
    )
    .all(limit) as unknown as QueuedDocument[];
  const found = await source.items(queued.map(({ item_id }) => item_id));
  const items = new Map(found.map((item) => [item.id, item]));
  // Deleted items leave the outbox with the next change.
  const present = queued.filter(({ item_id }) => items.has(item_id));
  const deleted = queued.filter(({ item_id }) => !items.has(item_id));
  const vectors = await embedder.embed(
    present.map(({ item_id }) => toDocument(items.get(item_id)!).embeddingText),
  );
  const done: { doc: number; code: Uint32Array }[] = [];
  db.transaction(() => {
    const model = nameId(db, "model", embedder.name);
    for (const { doc } of deleted) db.sql("DELETE FROM to_embed WHERE doc = ?").run(doc);
    for (const [index, { doc, hash }] of present.entries()) {
      const vector = vectors[index]!;
      // Changed while being embedded: it is queued again, under its new hash.
      if (db.sql("SELECT 1 FROM docs WHERE doc = ? AND embedding_hash = ?").get(doc, hash) === undefined)
        continue;
      const code = toCode(vector);
      db.sql("INSERT OR REPLACE INTO codes (doc, model, hash, bin) VALUES (?, ?, ?, ?)").run(
        doc,
        model,
        hash,
        bytesOf(code),
      );
      db.sql("INSERT OR REPLACE INTO vectors (doc, v) VALUES (?, ?)").run(doc, bytesOf(toBytes(vector)));
      db.sql("DELETE FROM to_embed WHERE doc = ?").run(doc);
      done.push({ doc, code });
    }
  });
  return { done };
}

/** After a model change, queues all documents without a vector of it. Old vectors are replaced one by one. */
export function queueForModel(db: IndexDb, name: string): number {
  const model = nameId(db, "model", name);
  if (db.meta("model") === String(model)) return model;
  db.transaction(() => {
    db.sql(
      `INSERT OR IGNORE INTO to_embed (doc) SELECT d.doc FROM docs d
         WHERE NOT EXISTS (SELECT 1 FROM codes c WHERE c.doc = d.doc AND c.model = ? AND c.hash = d.embedding_hash)`,
    ).run(model);
    db.sql(
      `DELETE FROM to_embed WHERE doc IN (SELECT c.doc FROM codes c JOIN docs d ON d.doc = c.doc
         WHERE c.model = ? AND c.hash = d.embedding_hash)`,
    ).run(model);
    db.setMeta("model", String(model));
  });
  return model;
}

interface QueuedDocument {
  readonly doc: number;
  readonly item_id: number;
  readonly hash: Uint8Array;
}

function bytesOf(array: Uint32Array | Int8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
