import { Tokenizer } from "@huggingface/tokenizers";

export interface TextTokenizer {
  /** The ids a model expects for a text, with its special tokens, at most `maxTokens`. */
  encode(text: string, maxTokens: number): number[];
}

/** Longer than any token of a known vocabulary, so that cutting the text first changes no id that is kept. */
const MAX_TOKEN_CHARS = 128;

/** Creates the tokenizer that a `tokenizer.json` describes: WordPiece, Unigram or BPE. */
export function createTokenizer(json: object): TextTokenizer {
  const tokenizer = new Tokenizer(json, {});
  const idsOf = (text: string): number[] => tokenizer.encode(text).ids;
  const endIds = endOf(idsOf("a"), tokenizer.encode("a", { add_special_tokens: false }).ids);
  return {
    encode(text, maxTokens) {
      const ids = idsOf(text.slice(0, maxTokens * MAX_TOKEN_CHARS).toWellFormed());
      if (ids.length <= maxTokens) return ids;
      return [...ids.slice(0, maxTokens - endIds.length), ...endIds];
    },
  };
}

/** The special tokens that end every text, such as `[SEP]`: what follows the text's own ids. */
function endOf(ids: readonly number[], textIds: readonly number[]): readonly number[] {
  const at = ids.findIndex((_, start) => textIds.every((id, offset) => ids[start + offset] === id));
  return ids.slice(Math.max(0, at) + textIds.length);
}
