import type { Embedder } from "../embed/embedder.ts";

/** Meaningless texts: only what is nearer to a query than these may be about it. */
const NOISE = ["continue", "go on", "yes", "zzzz", "xkcdqz"];

const noiseVectors = new WeakMap<Embedder, Promise<readonly Float32Array[]>>();

/**
 * How near a query is to meaningless texts. Every query is near something, even one that shares no word with
 * any text; nothing farther than this is worth showing.
 */
export async function noiseFloor(embedder: Embedder, query: Float32Array): Promise<number> {
  const vectors = noiseVectors.get(embedder) ?? embedder.embed(NOISE);
  noiseVectors.set(embedder, vectors);
  try {
    return Math.max(...(await vectors).map((noise) => dotProduct(noise, query)));
  } catch {
    noiseVectors.delete(embedder);
    return 0;
  }
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
