/** IPC messages between parent and child. Only one chunk is in flight at a time. */
export interface EmbedChunk {
  readonly texts: readonly string[];
  /** No caller waits for it, so it may run at low priority. */
  readonly isBackground: boolean;
}

export type EmbedAnswer =
  | { readonly type: "ready" }
  | { readonly type: "broken"; readonly why: string }
  | { readonly type: "vectors"; readonly vectors: readonly Float32Array[] }
  | { readonly type: "failed"; readonly why: string };
