import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findTokenizerFault } from "./find-tokenizer-fault.ts";
import { LOCAL_MODEL } from "./local-model.ts";
import { createTokenizer } from "./tokenizer.ts";
import { findWeightsFault } from "./weights.testing.ts";

const special = (content: string, id: number) => ({ id, content, special: true });
const around = (start: string, end: string, ids: readonly [number, number]) => ({
  type: "TemplateProcessing",
  single: [
    { SpecialToken: { id: start, type_id: 0 } },
    { Sequence: { id: "A", type_id: 0 } },
    { SpecialToken: { id: end, type_id: 0 } },
  ],
  pair: [],
  special_tokens: {
    [start]: { id: start, ids: [ids[0]], tokens: [start] },
    [end]: { id: end, ids: [ids[1]], tokens: [end] },
  },
});

const pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "restart", "##ed", "##s", "the", "server", ".", "cafe"];
const wordPiece = {
  normalizer: { type: "BertNormalizer", lowercase: true, strip_accents: null, clean_text: true },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: around("[CLS]", "[SEP]", [2, 3]),
  decoder: null,
  added_tokens: ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(special),
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
  },
};

/** The kind that multilingual models use. */
const sentencePieces = ["<s>", "<pad>", "</s>", "<unk>", "▁서버", "를", "▁다시", "▁시작", "▁", "a", "b"];
const unigram = {
  normalizer: null,
  pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
  post_processor: around("<s>", "</s>", [0, 2]),
  decoder: null,
  added_tokens: ["<s>", "<pad>", "</s>", "<unk>"].map(special),
  model: { type: "Unigram", unk_id: 3, vocab: sentencePieces.map((piece, at) => [piece, -at]) },
};

const merged = ["<unk>", "l", "o", "w", "lo", "low", "a", "b"];
const bpe = {
  normalizer: null,
  pre_tokenizer: { type: "Whitespace" },
  post_processor: null,
  decoder: null,
  added_tokens: [],
  model: {
    type: "BPE",
    unk_token: "<unk>",
    vocab: Object.fromEntries(merged.map((piece, id) => [piece, id])),
    merges: ["l o", "lo w"],
  },
};

function encode(json: object, vocabulary: readonly string[], text: string, maxTokens = 256): string[] {
  return createTokenizer(json)
    .encode(text, maxTokens)
    .map((id) => vocabulary[id]!);
}

describe("createTokenizer", () => {
  it("reads a WordPiece tokenizer", () => {
    const ids = ["[CLS]", "restart", "##ed", "the", "server", "##s", ".", "cafe", "[UNK]", "[SEP]"];
    expect(encode(wordPiece, pieces, "Restarted  the\tSERVERS.Café xyz")).toEqual(ids);
  });

  it("reads a Unigram tokenizer, as of multilingual models", () => {
    const ids = ["<s>", "▁서버", "를", "▁다시", "▁시작", "</s>"];
    expect(encode(unigram, sentencePieces, "서버를 다시 시작")).toEqual(ids);
  });

  it("reads a BPE tokenizer without special tokens", () => {
    expect(encode(bpe, merged, "low lo", 256)).toEqual(["low", "lo"]);
    expect(encode(bpe, merged, "low lo low", 2)).toEqual(["low", "lo"]);
  });

  it("keeps the special tokens of a text that is too long", () => {
    const text = "restarted ".repeat(1_000);
    expect(encode(wordPiece, pieces, text, 5)).toEqual(["[CLS]", "restart", "##ed", "restart", "[SEP]"]);
    expect(encode(unigram, sentencePieces, "서버 ".repeat(99), 3)).toEqual(["<s>", "▁서버", "</s>"]);
  });

  it("accepts an empty text and a lone surrogate", () => {
    expect(encode(wordPiece, pieces, "")).toEqual(["[CLS]", "[SEP]"]);
    expect(encode(wordPiece, pieces, "the \ud83d")[1]).toBe("the");
  });

  it.skipIf(findWeightsFault() !== null)(
    "gives the bundled model at most 256 ids for a very long text",
    () => {
      const json = JSON.parse(readFileSync(join(LOCAL_MODEL.folder, "tokenizer.json"), "utf8")) as object;
      const tokenizer = createTokenizer(json);
      expect(tokenizer.encode("The server restarted.", 256)).toEqual([101, 1996, 8241, 25606, 1012, 102]);
      for (const text of ["word ".repeat(100_000), "x".repeat(1_000_000), "서버 ".repeat(50_000)]) {
        const ids = tokenizer.encode(text, 256);
        expect(ids.length).toBeLessThanOrEqual(256);
        expect([ids[0], ids.at(-1)]).toEqual([101, 102]);
      }
    },
  );
});

describe("findTokenizerFault", () => {
  it.each([wordPiece, unigram, bpe])("accepts the kinds that can be read (%#)", (json) => {
    expect(findTokenizerFault(json)).toBeNull();
  });

  it.each([
    [{ model: { type: "WordLevel", vocab: { a: 0 } } }, "of the kind WordLevel"],
    [{ model: {} }, "no vocabulary"],
    [{}, "no vocabulary"],
    [null, "no vocabulary"],
  ])("refuses %j", (json, why) => {
    expect(findTokenizerFault(json)).toContain(why);
  });
});
