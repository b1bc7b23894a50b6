import type { IndexedItem } from "../../store/item-changes.ts";
import type { ItemContent, ItemKind, SummaryContent } from "../memory-item.ts";

/** What the index stores of an item: the text to find it by, and its filter values. */
export interface SearchDocument {
  readonly itemId: number;
  readonly kind: ItemKind;
  readonly type: string;
  readonly session: string;
  readonly project: string | null;
  readonly tool: string | null;
  readonly branch: string | null;
  readonly success: boolean | null;
  readonly createdMs: number;
  readonly isPinned: boolean;
  readonly files: readonly string[];
  readonly title: string;
  readonly body: string;
  /** An excerpt of the tool's input and output. */
  readonly raw: string;
  /** The text to embed. */
  readonly embeddingText: string;
}

/** The fields of an item that its document needs. */
export type DocumentItem = Omit<IndexedItem, "promptNumber" | "failedCall">;

export function toDocument(item: DocumentItem): SearchDocument {
  const { content, summary } = parseItemContent(item);
  const files = [...new Set([...content.filesModified, ...content.filesRead])];
  const summaryTexts =
    summary === null
      ? []
      : [summary.request, summary.investigated, summary.learned, summary.completed, summary.nextSteps];
  const body = [...summaryTexts, ...content.facts, content.narrative, content.concepts.join(" ")].filter(
    isText,
  );
  const createdMs = Date.parse(item.createdAtIso);
  return {
    itemId: item.id,
    kind: item.kind as ItemKind,
    type: content.type,
    session: item.sessionId,
    project: item.project,
    tool: item.toolName,
    branch: item.branch,
    success: item.success,
    createdMs: Number.isFinite(createdMs) ? createdMs : 0,
    isPinned: item.pinned,
    files,
    title: content.title,
    body: body.join("\n").slice(0, MAX_BODY_CHARS),
    raw: item.payloadJson === null ? "" : rawExcerpt(item.payloadJson),
    embeddingText: embeddingText(content, summaryTexts.filter(isText), files),
  };
}

/** Memory wrote these, so they are not validated again: zod would cost this thread 15 MB. */
export function parseItemContent(item: Pick<IndexedItem, "contentJson" | "summaryJson">): {
  readonly content: ItemContent;
  readonly summary: SummaryContent | null;
} {
  const summary = item.summaryJson === null ? null : (JSON.parse(item.summaryJson) as SummaryContent);
  return { content: JSON.parse(item.contentJson) as ItemContent, summary };
}

/** The model reads 256 tokens, about 1,000 characters of prose, so the most informative text comes first. */
function embeddingText(
  content: ItemContent,
  summaryTexts: readonly string[],
  files: readonly string[],
): string {
  const names = files.slice(0, 5).map((file) => file.split("/").slice(-2).join("/"));
  return [content.title, ...summaryTexts, ...content.facts, content.narrative, names.join(" ")]
    .filter(isText)
    .join("\n")
    .slice(0, MAX_EMBEDDING_CHARS);
}

/** Error lines come first: they are what users search for verbatim. */
export function rawExcerpt(payloadJson: string): string {
  let payload: { readonly toolInput?: unknown; readonly toolOutput?: unknown };
  try {
    payload = JSON.parse(payloadJson) as typeof payload;
  } catch {
    return "";
  }
  const input = [...stringsIn(payload.toolInput)].join("\n").slice(0, MAX_INPUT_CHARS);
  const output = typeof payload.toolOutput === "string" ? payload.toolOutput : "";
  return `${input}\n${outputExcerpt(output, MAX_RAW_CHARS - input.length)}`.trim();
}

const MAX_BODY_CHARS = 8_000;
const MAX_EMBEDDING_CHARS = 2_000;
const MAX_RAW_CHARS = 1_500;
const MAX_INPUT_CHARS = 700;
const ERROR_LINE =
  /error|fail|exception|panic|fatal|cannot|can't|unable|denied|refused|not found|undefined|traceback|오류|에러|실패|エラー|失敗|错误|失败/i;

function outputExcerpt(output: string, maxChars: number): string {
  if (output.length <= maxChars) return output;
  const lines = output.split("\n");
  const chosen: string[] = [];
  let length = 0;
  for (const isErrorPass of [true, false]) {
    for (const line of lines) {
      if (ERROR_LINE.test(line) !== isErrorPass || length >= maxChars) continue;
      chosen.push(line.slice(0, maxChars - length));
      length += line.length + 1;
    }
  }
  return chosen.join("\n");
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const part of value) yield* stringsIn(part);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) yield* stringsIn(part);
}

function isText(text: string | null): text is string {
  return text !== null && text !== "";
}
