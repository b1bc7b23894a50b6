/**
 * Texts to vectors of length one.
 * - The same text gives the same vector as long as `name` is the same.
 * - One text is a query, somebody waits for it: it goes before texts that come in numbers.
 * - A rejection concerns that call only; the next one is tried anew, unless `trouble` says until when it is not.
 */
export interface Embedder {
  /** The model and its version: vectors under another name cannot be compared. */
  readonly name: string;
  /** Null while nothing was embedded by a model of which it is not known. */
  readonly dimensions: number | null;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** False while it would have to be loaded first. */
  isWarm(): boolean;
  /** Loads it, or keeps it loaded: somebody may ask soon. */
  warm(): void;
  /** Why `embed` cannot succeed now; null: it can. */
  trouble(): string | null;
  close(): Promise<void>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

/** A text is cut here before it is sent anywhere: models take the first 256 to 8,192 tokens. */
export const MAX_CHARS = 6_000;
