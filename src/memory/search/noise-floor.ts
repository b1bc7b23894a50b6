import type { Embedder } from "../embed/embedder.ts";

/** Texts that are about nothing: what lies nearer to a query than to them may be about it. */
const NOISE = ["continue", "go on", "yes", "zzzz", "xkcdqz"];

const asked = new WeakMap<Embedder, Promise<readonly Float32Array[]>>();

/**
 * How near a query lies to texts that are about nothing. Every query lies near something, also one that no text has a
 * word of; nothing farther off than this is worth showing to whoever asked.
 */
export async function noiseFloor(embedder: Embedder, query: Float32Array): Promise<number> {
  const known = asked.get(embedder) ?? embedder.embed(NOISE);
  asked.set(embedder, known);
  try {
    return Math.max(...(await known).map((noise) => product(noise, query)));
  } catch {
    asked.delete(embedder);
    return 0;
  }
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
