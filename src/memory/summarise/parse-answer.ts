import { cleanText, clip, clipLine } from "../compress/clean-text.ts";
import { ITEM_TYPES, type ItemContent, type ItemType, type SummaryContent } from "../memory-item.ts";

/** A model's text for an observation: only the parts it gave. */
export type AnsweredContent = Partial<
  Pick<ItemContent, "type" | "title" | "facts" | "narrative" | "concepts">
>;

export type ParsedAnswer =
  | {
      readonly type: "usable";
      readonly summary: SummaryContent | null;
      /** By item id. */
      readonly observations: ReadonlyMap<number, AnsweredContent>;
    }
  | { readonly type: "unusable"; readonly why: string };

const MAX_ANSWER_CHARS = 64_000;
const MAX_TITLE_CHARS = 120;
const MAX_PART_CHARS = 1_000;
const MAX_FACTS = 12;
const MAX_FACT_CHARS = 300;
const MAX_CONCEPTS = 8;
const MAX_CONCEPT_CHARS = 40;

/**
 * Parses a model's answer, however it is wrapped, cut off or unescaped: only the requested tags are tags, and
 * a part ends where the next starts. `observationIds` are those that the request numbered 1, 2, 3 …
 */
export function parseAnswer(text: string, observationIds: readonly number[]): ParsedAnswer {
  const { summary, observations } = collect(text.slice(0, MAX_ANSWER_CHARS));
  const contents = new Map<number, AnsweredContent>();
  for (const { name, parts } of observations) {
    const isOnly = name === null && observationIds.length === 1;
    const id = isOnly ? observationIds[0] : observationIds[Number(name) - 1];
    const content = toContent(parts);
    if (id !== undefined && !contents.has(id) && Object.keys(content).length > 0) contents.set(id, content);
  }
  const parsedSummary = toSummary(summary);
  if (parsedSummary === null && contents.size === 0) return { type: "unusable", why: whyUnusable(text) };
  return { type: "usable", summary: parsedSummary, observations: contents };
}

type Leaf = (typeof LEAVES)[number];
type Parts = Map<Leaf, string[]>;

interface Collected {
  readonly summary: Parts;
  readonly observations: readonly { readonly name: string | null; readonly parts: Parts }[];
}

const SUMMARY_LEAVES = ["request", "investigated", "learned", "completed", "next_steps"] as const;
const LEAVES = [
  ...SUMMARY_LEAVES,
  "type",
  "title",
  "facts",
  "fact",
  "narrative",
  "concepts",
  "concept",
] as const;
/** The text of a list counts as its items where the model did not mark them. */
const LIST_OF: Partial<Record<Leaf, Leaf>> = { fact: "facts", concept: "concepts" };
const TOKEN = new RegExp(
  `<!\\[CDATA\\[|<(/?)(summary|observations?|${LEAVES.join("|")})(?=[\\s/>])([^<>]{0,200})>`,
  "gi",
);
const CDATA_END = "]]>";

/** One pass over the known tags. */
function collect(text: string): Collected {
  const summary: Parts = new Map();
  const observations: { name: string | null; parts: Parts }[] = [];
  let parts: Parts | null = null;
  let leaf: Leaf | null = null;
  let leafText = "";
  let at = 0;

  const flush = (): void => {
    if (leaf !== null && parts !== null && leafText.trim() !== "")
      parts.set(leaf, [...(parts.get(leaf) ?? []), leafText]);
    leafText = "";
  };

  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    leafText += unescapeEntities(text.slice(at, token.index));
    at = TOKEN.lastIndex;
    if (token[2] === undefined) {
      const end = text.indexOf(CDATA_END, at);
      leafText += text.slice(at, end < 0 ? text.length : end);
      at = end < 0 ? text.length : end + CDATA_END.length;
      TOKEN.lastIndex = at;
      continue;
    }
    const name = token[2].toLowerCase();
    const isClosing = token[1] === "/";
    flush();
    if (isLeaf(name)) {
      // A part of the summary may come without its enclosing tag.
      if (!isClosing && parts === null && isSummaryLeaf(name)) parts = summary;
      leaf = isClosing ? (LIST_OF[name] ?? null) : name;
      if (token[3]!.endsWith("/")) leaf = null;
      continue;
    }
    leaf = null;
    if (name === "summary") parts = isClosing ? null : summary;
    else if (name === "observations" || isClosing) parts = null;
    else {
      parts = new Map();
      observations.push({ name: /\bid\s*=\s*["']?\s*(\d{1,6})/i.exec(token[3]!)?.[1] ?? null, parts });
    }
  }
  leafText += unescapeEntities(text.slice(at));
  flush();
  return { summary, observations };
}

function toSummary(parts: Parts): SummaryContent | null {
  const [request, investigated, learned, completed, nextSteps] = SUMMARY_LEAVES.map((leaf) =>
    partText(parts, leaf),
  );
  const summary = { request, investigated, learned, completed, nextSteps };
  return Object.values(summary).every((part) => part === null) ? null : (summary as SummaryContent);
}

function toContent(parts: Parts): AnsweredContent {
  const type = REQUESTED_TYPES.find((each) => each === parts.get("type")?.[0]?.trim().toLowerCase());
  const title = clipLine(cleanText(parts.get("title")?.[0]), MAX_TITLE_CHARS);
  const facts = listOf(parts, "fact", "facts", /\n/, MAX_FACT_CHARS).slice(0, MAX_FACTS);
  const narrative = partText(parts, "narrative");
  const concepts = [
    ...new Set(
      listOf(parts, "concept", "concepts", /[\n,]/, MAX_CONCEPT_CHARS).map((concept) =>
        concept.toLowerCase(),
      ),
    ),
  ].slice(0, MAX_CONCEPTS);
  const hasContent = !isEmptyPhrase(title) || facts.length > 0 || narrative !== null || concepts.length > 0;
  return {
    // A type alone is not worth replacing an item for.
    ...(type !== undefined && hasContent && { type }),
    ...(!isEmptyPhrase(title) && { title }),
    ...(facts.length > 0 && { facts }),
    ...(narrative !== null && { narrative }),
    ...(concepts.length > 0 && { concepts }),
  };
}

const REQUESTED_TYPES = ITEM_TYPES.filter(
  (type): type is ItemType => type !== "summary" && type !== "prompt",
);

function partText(parts: Parts, leaf: Leaf): string | null {
  const text = (parts.get(leaf) ?? [])
    .map((part) => cleanText(part).trim())
    .filter((part) => !isEmptyPhrase(part));
  return text.length === 0 ? null : clip(text.join("\n"), MAX_PART_CHARS);
}

function listOf(parts: Parts, item: Leaf, list: Leaf, separator: RegExp, limit: number): string[] {
  const marked = parts.get(item) ?? (parts.get(list) ?? []).flatMap((text) => text.split(separator));
  const lines = marked.map((text) => clipLine(cleanText(text).replace(/^\s*[-*•]\s+/, ""), limit));
  return [...new Set(lines)].filter((line) => !isEmptyPhrase(line));
}

/** What models write when they have nothing to say. */
function isEmptyPhrase(text: string): boolean {
  return /^(|-+|—|\.+|…|n\/?a|none\.?|null|nothing\.?)$/i.test(text.trim());
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Only once: double escaping is intentional. */
function unescapeEntities(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole, name, decimal, hex) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : "";
    },
  );
}

function isLeaf(name: string): name is Leaf {
  return (LEAVES as readonly string[]).includes(name);
}

function isSummaryLeaf(name: string): boolean {
  return (SUMMARY_LEAVES as readonly string[]).includes(name);
}

/** Omits the text: errors are stored, and forgotten content must not survive in one. */
function whyUnusable(text: string): string {
  const { length } = text.trim();
  return length === 0
    ? "the model returned no text"
    : `the answer has none of the requested parts (${length} characters)`;
}
