/**
 * Turns texts into vectors of length one.
 * - The same text gives the same vector as long as `name` is the same.
 * - A single text is a query that a caller waits for: it goes before larger batches.
 * - A rejection concerns that call only; the next one is tried again unless `unavailableReason` is set.
 */
export interface Embedder {
  /** The model and its version: vectors under different names are not comparable. */
  readonly name: string;
  /** Null until the first text is embedded, for a model whose dimensions are unknown. */
  readonly dimensions: number | null;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** False while it would have to be loaded first. */
  isWarm(): boolean;
  /** Loads it or keeps it loaded, as a query may come soon. */
  warm(): void;
  /** Why `embed` cannot succeed now; null: it can. */
  unavailableReason(): string | null;
  close(): Promise<void>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

/** Texts are cut here before they are sent anywhere: models read the first 256 to 8,192 tokens. */
export const MAX_CHARS = 6_000;
