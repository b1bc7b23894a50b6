import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { LOCAL_MODEL } from "./local-model.ts";
import { findWeightsFault } from "./weights.testing.ts";
import { createWordPiece, findTokenizerFault, type TokenizerJson } from "./word-piece.ts";

const words = [
  "[PAD]",
  "[UNK]",
  "[CLS]",
  "[SEP]",
  "restart",
  "##ed",
  "##s",
  "the",
  "server",
  ".",
  "cafe",
  "日",
];
const small: TokenizerJson = {
  normalizer: { type: "BertNormalizer", lowercase: true, strip_accents: null },
  pre_tokenizer: { type: "BertPreTokenizer" },
  added_tokens: [{ id: 0, content: "[PAD]" }],
  model: { type: "WordPiece", vocab: Object.fromEntries(words.map((word, id) => [word, id])) },
};

function encoded(text: string, json = small, maxTokens = 256): string[] {
  return createWordPiece(json)
    .encode(text, maxTokens)
    .map((id) => words[id]!);
}

describe("a text in pieces", () => {
  it("is lower case, without accents, split at punctuation, and in the longest known pieces", () => {
    const pieces = ["[CLS]", "restart", "##ed", "the", "server", "##s", ".", "cafe", "[SEP]"];
    expect(encoded("Restarted  the\tSERVERS.Café")).toEqual(pieces);
  });

  it("has a place for each unknown word, and for one of more than 100 characters", () => {
    expect(encoded(`the xyz ${"restart".repeat(15)} server`)).toEqual([
      "[CLS]",
      "the",
      "[UNK]",
      "[UNK]",
      "server",
      "[SEP]",
    ]);
  });

  it("has ideographs apart, and marks as what they are", () => {
    expect(encoded("the日日[PAD]the")).toEqual(["[CLS]", "the", "日", "日", "[PAD]", "the", "[SEP]"]);
  });

  it("is cut, also within a word, and ends in [SEP] all the same", () => {
    expect(encoded("restarted restarted restarted", small, 5)).toEqual([
      "[CLS]",
      "restart",
      "##ed",
      "restart",
      "[SEP]",
    ]);
  });

  it("keeps case and accents where the model does", () => {
    const cased = { ...small, normalizer: { type: "BertNormalizer", lowercase: false } };
    expect(encoded("The café cafe", cased)).toEqual(["[CLS]", "[UNK]", "[UNK]", "cafe", "[SEP]"]);
  });
});

describe("a tokenizer of another kind", () => {
  it.each([
    [{ ...small, model: { type: "Unigram", vocab: [["a", 0]] } }, /of the kind Unigram, and only WordPiece/],
    [{ ...small, model: { type: "BPE", vocab: { a: 0 }, merges: [] } }, /of the kind BPE/],
    [{ ...small, normalizer: { type: "Precompiled" } }, /normalizer is Precompiled/],
    [{ ...small, pre_tokenizer: null }, /pre-tokenizer is none/],
    [{ ...small, model: { ...small.model, vocab: { a: 0 } } }, /lacks \[CLS\] and \[SEP\] and \[UNK\]/],
    [{}, /no vocabulary/],
    [null, /no vocabulary/],
  ])("is refused with its reason (%#)", (json, why) => {
    expect(findTokenizerFault(json)).toMatch(why);
  });

  it("is told from one that can be used", () => {
    expect(findTokenizerFault(small)).toBeNull();
  });
});

describe.skipIf(findWeightsFault() !== null)("the ids are those of the reference", () => {
  const json = (): TokenizerJson =>
    JSON.parse(readFileSync(join(LOCAL_MODEL.folder, "tokenizer.json"), "utf8")) as TokenizerJson;
  let ours: ReturnType<typeof createWordPiece>;
  let reference: Tokenizer;
  beforeAll(() => {
    ours = createWordPiece(json());
    reference = new Tokenizer(json(), {});
  });

  /** As text: comparing many numbers one by one is slow. */
  function check(text: string): void {
    const expected = reference.encode(text).ids;
    expect(ours.encode(text, Number.MAX_SAFE_INTEGER).join(" "), text).toBe(expected.join(" "));
    const cut = expected.length <= 256 ? expected : [...expected.slice(0, 255), 102];
    expect(ours.encode(text, 256).join(" "), text).toBe(cut.join(" "));
  }

  it("on what this repository holds: code, prose, recorded payloads", () => {
    const root = join(import.meta.dirname, "../../..");
    const files = execFileSync("git", ["ls-files", "src", "test", "docs", "bin", "*.md"], { cwd: root });
    let texts = 0;
    for (const path of files.toString().trim().split("\n")) {
      if (!existsSync(join(root, path))) continue;
      const text = readFileSync(join(root, path), "utf8").slice(0, 12_000);
      for (let at = 0; at < text.length; at += 2_000, texts += 1) check(text.slice(at, at + 2_000));
    }
    expect(texts).toBeGreaterThanOrEqual(1_000);
  });

  it.each([
    ["Korean", "서버를 다시 시작하려면 어떻게 하나요? 오류가 발생했습니다."],
    ["Korean, decomposed", "서버를 다시 시작".normalize("NFD")],
    ["Japanese", "サーバーを再起動する方法。エラーが発生しました「はい」ｶﾞｷﾞ"],
    ["Chinese", "如何重启服务器？发生错误，请重试。𠀀𠀁 豈更"],
    ["accents", "Crème brûlée, naïve façade, Ångström, İstanbul, ΟΔΥΣΣΕΥΣ, ǅungla, ﬁnance, ß ẞ"],
    ["other scripts", "привет мир, שלום עולם, مرحبا بالعالم, नमस्ते दुनिया, สวัสดีชาวโลก"],
    ["emoji", "done ✅ 👩‍👩‍👧‍👦 🇩🇪 1️⃣ 🤷🏽‍♂️ ☕️ \u{1f9ff}"],
    [
      "control characters",
      "a\0b\u0001c\u007fd\u0085e\tf\vg\fh\r\ni\u200bj\u200dk\ufeffl\u2028m\u00a0n\u3000o\ufffdp",
    ],
    ["torn surrogates", "a\ud83d b\ude00c \udbff\udfff \ue000"],
    ["marks in the text", "[CLS] [SEP][MASK]x[PAD] [cls] [UNK]y [unk] [ SEP ]"],
    ["ANSI colours", "\u001b[31merror\u001b[0m: \u001b]8;;http://x\u0007link"],
    ["code", "const x = fn<T>({ a: `b$c` })?.d ?? e['f']; // ∀x∈ℝ: ⌈x⌉ = −⌊−x⌋ $x^2 ~/.a_b-c\\d|e"],
    [
      "long words",
      `${"a".repeat(100)} ${"a".repeat(101)} ${"é".repeat(100)} ${"😀".repeat(60)} ${"x".repeat(9_999)}`,
    ],
    ["nothing", ""],
    ["blanks", " \n\t "],
  ])("on %s", (_, text) => {
    check(text);
  });

  it("on 6,000 texts made up of anything", () => {
    const point = (min: number, max: number) =>
      fc.integer({ min, max }).map((code) => String.fromCodePoint(code));
    const unit = fc.oneof(
      { arbitrary: fc.string({ unit: "grapheme" }), weight: 4 },
      { arbitrary: fc.string({ unit: "binary" }), weight: 4 },
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      point(0, 0x2ff),
      point(0x300, 0x36f),
      point(0x2000, 0x206f),
      point(0x3000, 0x30ff),
      point(0x4e00, 0x9fff),
      point(0xac00, 0xd7a3),
      point(0x1f300, 0x1faff),
      point(0x20000, 0x2fa1f),
      fc.constantFrom(" ", "\n", "_", "-", "the", "Server", "restart", "[SEP]", "##ing", "İ", "Σ", "’"),
    );
    const text = fc.array(unit, { maxLength: 30 }).map((parts) => parts.join(""));
    fc.assert(fc.property(text, check), { numRuns: 6_000 });
  });
});
