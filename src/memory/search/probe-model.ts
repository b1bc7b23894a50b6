import type { Embedder } from "../embed/embedder.ts";
import type { IndexDb } from "./index-db.ts";

/**
 * Whether a model distinguishes sentences that are not English: to one trained on English only, all Korean
 * looks about the same. Tests the model itself, once per model.
 */
export async function readsCjk(db: IndexDb, model: number, embedder: Embedder): Promise<boolean> {
  const key = `reads_cjk:${model}`;
  const saved = db.meta(key);
  if (saved !== null) return saved === "1";
  // Do not load the model for this alone.
  if (db.sql("SELECT 1 FROM to_embed LIMIT 1").get() === undefined) return false;
  const [korean, same, other] = await embedder.embed(SENTENCES);
  const distinguishes = dotProduct(korean!, same!) > dotProduct(korean!, other!) + 0.1;
  db.setMeta(key, distinguishes ? "1" : "0");
  return distinguishes;
}

const SENTENCES = [
  "데이터베이스 연결이 끊어져서 다시 연결했다",
  "The database connection was lost, so it was opened again",
  "점심으로 비빔밥을 먹고 공원을 산책했다",
];

function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
