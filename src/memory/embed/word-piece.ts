// BERT's tokenizer: normalise, split at spaces and punctuation, then the longest known pieces of each word.

export interface WordPiece {
  /** Ids enclosed in [CLS] and [SEP], at most `maxTokens`. */
  encode(text: string, maxTokens: number): number[];
}

/** The needed part of a `tokenizer.json`. Valid only if `findTokenizerFault` returns null. */
export interface TokenizerJson {
  readonly normalizer: {
    readonly type: string;
    readonly clean_text?: boolean;
    readonly handle_chinese_chars?: boolean;
    readonly strip_accents?: boolean | null;
    readonly lowercase?: boolean;
  };
  readonly pre_tokenizer: { readonly type: string };
  readonly added_tokens?: readonly { readonly id: number; readonly content: string }[];
  readonly model: {
    readonly type?: string;
    readonly unk_token?: string;
    readonly continuing_subword_prefix?: string;
    readonly max_input_chars_per_word?: number;
    readonly vocab: Readonly<Record<string, number>>;
  };
}

export function createWordPiece(json: TokenizerJson): WordPiece {
  const vocab = new Map(Object.entries(json.model.vocab));
  const added = json.added_tokens ?? [];
  for (const { id, content } of added) vocab.set(content, id);
  const marks = new Set(added.map(({ content }) => content));
  const splitter = marks.size === 0 ? null : new RegExp(`(${[...marks].map(escaped).join("|")})`, "u");
  const normalise = createNormaliser(json.normalizer);
  const toPieces = createPieces(json.model, vocab);
  const [first, last] = [vocab.get("[CLS]")!, vocab.get("[SEP]")!];

  return {
    encode(text, maxTokens) {
      const ids = [first];
      const room = maxTokens - 1;
      for (const part of splitter === null ? [text] : text.split(splitter)) {
        if (marks.has(part)) ids.push(vocab.get(part)!);
        else
          for (const [word] of normalise(part).matchAll(WORD)) {
            if (ids.length >= room) break;
            ids.push(...toPieces(word));
          }
        if (ids.length >= room) break;
      }
      ids.length = Math.min(ids.length, room);
      ids.push(last);
      return ids;
    },
  };
}

/** Why this tokenizer cannot be used here; null: it can. */
export function findTokenizerFault(json: unknown): string | null {
  const { model, normalizer, pre_tokenizer, added_tokens } = (json ?? {}) as Partial<TokenizerJson>;
  if (typeof model?.vocab !== "object" || model.vocab === null) return "it has no vocabulary";
  if ((model.type ?? "WordPiece") !== "WordPiece" || Array.isArray(model.vocab) || "merges" in model)
    return `its tokenizer is of the kind ${model.type ?? "unknown"}, and only WordPiece is known here`;
  if (normalizer?.type !== "BertNormalizer")
    return `its normalizer is ${normalizer?.type ?? "none"}, and only BertNormalizer is known here`;
  if (pre_tokenizer?.type !== "BertPreTokenizer")
    return `its pre-tokenizer is ${pre_tokenizer?.type ?? "none"}, and only BertPreTokenizer is known here`;
  const names = new Set([...Object.keys(model.vocab), ...(added_tokens ?? []).map(({ content }) => content)]);
  const absent = ["[CLS]", "[SEP]", model.unk_token ?? "[UNK]"].filter((name) => !names.has(name));
  return absent.length === 0 ? null : `its vocabulary lacks ${absent.join(" and ")}`;
}

const WORD = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;
const DROPPED = /[\0\ufffd\p{Cf}\p{Co}\p{Cs}]|(?![\t\n\r])\p{Cc}/gu;
/** Without the supplementary planes, like JavaScript tokenizers: their characters are unknown anyway. */
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;

function createNormaliser(rules: TokenizerJson["normalizer"]): (text: string) => string {
  const isLowered = rules.lowercase ?? true;
  const isStripped = rules.strip_accents ?? isLowered;
  return (text) => {
    let result = (rules.clean_text ?? true) ? text.replace(DROPPED, "") : text;
    if (rules.handle_chinese_chars ?? true) result = result.replace(IDEOGRAPH, " $& ");
    if (isLowered) result = result.toLowerCase();
    return isStripped ? result.normalize("NFD").replace(/\p{Mn}/gu, "") : result;
  };
}

function createPieces(
  model: TokenizerJson["model"],
  vocab: ReadonlyMap<string, number>,
): (word: string) => number[] {
  const unknown = [vocab.get(model.unk_token ?? "[UNK]")!];
  const prefix = model.continuing_subword_prefix ?? "##";
  const maxChars = model.max_input_chars_per_word ?? 100;
  const longest = Math.max(...[...vocab.keys()].map((piece) => piece.length));
  return (word) => {
    if (word.length > maxChars && [...word].length > maxChars) return unknown;
    const ids: number[] = [];
    for (let start = 0; start < word.length; ) {
      const lead = start === 0 ? "" : prefix;
      let end = Math.min(word.length, start + longest);
      let id = vocab.get(lead + word.slice(start, end));
      while (id === undefined && --end > start) id = vocab.get(lead + word.slice(start, end));
      if (id === undefined) return unknown;
      ids.push(id);
      start = end;
    }
    return ids;
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
