/** Why a `tokenizer.json` cannot be used; null if it looks usable. Does not load the tokenizer library, so the daemon may call it. */
export function findTokenizerFault(json: unknown): string | null {
  const { model } = (json ?? {}) as {
    readonly model?: { readonly type?: unknown; readonly vocab?: unknown };
  };
  if (typeof model?.vocab !== "object" || model.vocab === null) return "it has no vocabulary";
  const { type = "WordPiece" } = model;
  return KINDS.has(type) ? null : `its tokenizer is of the kind ${String(type)}, which is not supported`;
}

const KINDS: ReadonlySet<unknown> = new Set(["WordPiece", "Unigram", "BPE"]);
