/** What parent and child say to each other, over Node's channel between processes. One chunk is under way at a time. */
export interface EmbedChunk {
  readonly texts: readonly string[];
  /** Nobody waits for it: may be done when the machine has nothing better to do. */
  readonly isBackground: boolean;
}

export type EmbedAnswer =
  | { readonly type: "ready" }
  | { readonly type: "broken"; readonly why: string }
  | { readonly type: "vectors"; readonly vectors: readonly Float32Array[] }
  | { readonly type: "failed"; readonly why: string };
