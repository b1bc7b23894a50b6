// A scratch database of a given number of observations, indexed by the product's own index. The planted items
// and two thousand others get real vectors; the rest get jittered copies: a million would take four hours.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Embedder, openEmbedder } from "../../src/memory/embed/embedder.ts";
import { toDocument } from "../../src/memory/search/document.ts";
import { openLocalIndex } from "../../src/memory/search/local-index.ts";
import { openItemChanges, toIndexedItem } from "../../src/store/sqlite/sqlite-item-changes.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { createSeededRandom, type HistoryItem, historyItem } from "./coding-history.ts";
import { PLANTED } from "./planted-items.ts";

const REAL_VECTORS = 2_000;

/** Ids of planted items are spread over the whole history. */
export function plantedId(index: number, size: number): number {
  return Math.floor(((index + 0.5) / PLANTED.length) * size) + 1;
}

export async function fillHistory(folder: string, size: number): Promise<void> {
  const hooklineDb = join(folder, "hookline.db");
  timed("written", () => writeItems(hooklineDb, size));
  timed("plain FTS5 made", () => buildPlainIndex(hooklineDb, join(folder, "plain.db")));
  const opened = openEmbedder({ embedder: "local", embedderModel: null });
  if (opened.type === "none") throw new Error(`no embedder: ${opened.why}`);
  const embedder = await createJitteringEmbedder(opened.embedder, join(folder, "../real-vectors.bin"));
  const index = openLocalIndex({
    source: openItemChanges(hooklineDb),
    path: join(folder, "search.db"),
    embedder: { type: "ready", embedder },
  });
  const startedMs = performance.now();
  await index.settle();
  const status = await index.status();
  if (status.unembedded > 0 || status.items !== size)
    throw new Error(`not filled: ${JSON.stringify(status)}`);
  log(`indexed ${size} in ${Math.round((performance.now() - startedMs) / 1000)} s`);
  await index.close();
  writeFileSync(join(folder, "filled"), "");
}

function writeItems(path: string, size: number): void {
  const { db, close } = openSqliteStore(path);
  const item = db.raw.prepare(
    `INSERT INTO memory_items (id, kind, session_id, project, prompt_number, tool_name, type, title, branch, success,
       created_at, made_by, content_json) VALUES (?, 'observation', ?, ?, 1, ?, ?, ?, ?, ?, ?, 'rules', ?)`,
  );
  const fact = db.raw.prepare(
    `INSERT INTO facts (id, event_type, session_id, timestamp, provider, is_machine, is_private, observation_id,
       first_part, last_part, event_json, payload_json)
     VALUES (?, 'tool_observation', ?, ?, 'claude', 0, 0, ?, 1, 1, '{}', ?)`,
  );
  const planted = new Map(PLANTED.map(({ content }, index) => [plantedId(index, size), content]));
  for (let from = 0; from < size; from += 5_000) {
    db.transaction(() => {
      for (let index = from; index < Math.min(size, from + 5_000); index++) {
        const one = historyItem(index, size);
        const id = index + 1;
        const content = planted.get(id) ?? one.content;
        const at = new Date(one.createdMs).toISOString();
        const { session, project, tool, branch, success } = one;
        const json = JSON.stringify(content);
        item.run(id, session, project, tool, content.type, content.title, branch, Number(success), at, json);
        if (!planted.has(id)) fact.run(`f${id}`, session, at, id, payloadOf(one));
      }
    });
  }
  close();
}

function payloadOf({ tool, input, output }: HistoryItem): string {
  return JSON.stringify({ toolName: tool, toolInput: input, toolOutput: output });
}

/** Indexes the same texts with default FTS5: one column, `unicode61`. */
function buildPlainIndex(hooklineDb: string, path: string): void {
  const db = new DatabaseSync(path);
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ATTACH '${hooklineDb}' AS h;
     CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'unicode61'); BEGIN`,
  );
  const insert = db.prepare("INSERT INTO plain (rowid, text) VALUES (?, ?)");
  const rows = db.prepare(
    "SELECT m.*, f.payload_json FROM h.memory_items m LEFT JOIN h.facts f ON f.observation_id = m.id",
  );
  for (const row of rows.iterate()) {
    const { itemId, title, body, files, raw } = toDocument(toIndexedItem(row));
    insert.run(itemId, [title, body, files.join("\n"), raw].join("\n"));
  }
  db.exec("COMMIT");
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

async function createJitteringEmbedder(real: Embedder, cacheFile: string): Promise<Embedder> {
  const random = createSeededRandom(7);
  const planted = PLANTED.map(({ content }) => [content.title, content.narrative].join("\n"));
  const samples = Array.from({ length: REAL_VECTORS }, (_, index) => {
    const { content } = historyItem(index * 37, 1_000_000);
    return [content.title, ...content.facts, content.narrative].join("\n");
  });
  const base = await sampleVectors(real, samples, cacheFile);
  const known = new Map((await real.embed(planted)).map((vector, index) => [planted[index]!, vector]));
  return {
    ...real,
    name: real.name,
    dimensions: real.dimensions,
    embed: async (texts, embedOptions) =>
      texts.length === 3
        ? await real.embed(texts, embedOptions)
        : texts.map((text) => known.get(text) ?? jittered(base[Math.floor(random() * base.length)]!, random)),
  };
}

/** Computed once for all sizes of a run. */
async function sampleVectors(
  real: Embedder,
  samples: readonly string[],
  cacheFile: string,
): Promise<Float32Array[]> {
  if (!existsSync(cacheFile)) {
    log(`embedding ${samples.length} texts`);
    const vectors = await real.embed(samples);
    writeFileSync(
      cacheFile,
      Buffer.concat(
        vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
      ),
    );
  }
  const bytes = readFileSync(cacheFile);
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const dimensions = all.length / samples.length;
  return samples.map((_, index) => all.subarray(index * dimensions, (index + 1) * dimensions));
}

/** Moves a vector about as far as two notes about the same topic are apart. */
function jittered(vector: Float32Array, random: () => number): Float32Array {
  const moved = vector.map((value) => value + (random() + random() + random() - 1.5) * 0.06);
  const length = Math.hypot(...moved);
  return moved.map((value) => value / length);
}

function timed(what: string, work: () => void): void {
  const startedMs = performance.now();
  work();
  log(`${what} in ${Math.round((performance.now() - startedMs) / 1000)} s`);
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
