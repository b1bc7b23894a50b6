import type { ItemContent, ItemKind, SummaryContent } from "../memory-item.ts";

/** What the index keeps of an item: the words to find it by, and what it is filtered by. */
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
  /** The tool's input and output, in short. */
  readonly raw: string;
  /** What a vector is made of. */
  readonly embeddingText: string;
}

/** A row of `memory_items`, with the payload of its fact if it is of a tool use. */
export interface DocumentRow {
  readonly id: number;
  readonly kind: string;
  readonly session_id: string;
  readonly project: string | null;
  readonly tool_name: string | null;
  readonly branch: string | null;
  readonly success: number | null;
  readonly created_at: string;
  readonly pinned: number;
  readonly content_json: string;
  readonly summary_json: string | null;
  readonly payload_json: string | null;
}

export function toDocument(row: DocumentRow): SearchDocument {
  const { content, summary } = wordsOfRow(row);
  const files = [...new Set([...content.filesModified, ...content.filesRead])];
  const told =
    summary === null
      ? []
      : [summary.request, summary.investigated, summary.learned, summary.completed, summary.nextSteps];
  const body = [...told, ...content.facts, content.narrative, content.concepts.join(" ")].filter(isText);
  const createdMs = Date.parse(row.created_at);
  return {
    itemId: row.id,
    kind: row.kind as ItemKind,
    type: content.type,
    session: row.session_id,
    project: row.project,
    tool: row.tool_name,
    branch: row.branch,
    success: row.success === null ? null : row.success === 1,
    createdMs: Number.isFinite(createdMs) ? createdMs : 0,
    isPinned: row.pinned === 1,
    files,
    title: content.title,
    body: body.join("\n").slice(0, BODY_CHARS),
    raw: row.payload_json === null ? "" : rawExcerpt(row.payload_json),
    embeddingText: embeddingText(content, told.filter(isText), files),
  };
}

/** Memory wrote them, so that they are not checked again: zod would cost this thread 15 MB. */
export function wordsOfRow(row: Pick<DocumentRow, "content_json" | "summary_json">): {
  readonly content: ItemContent;
  readonly summary: SummaryContent | null;
} {
  const summary = row.summary_json === null ? null : (JSON.parse(row.summary_json) as SummaryContent);
  return { content: JSON.parse(row.content_json) as ItemContent, summary };
}

/** The model reads 256 tokens, about 1,000 characters of prose: what tells most comes first. */
function embeddingText(content: ItemContent, told: readonly string[], files: readonly string[]): string {
  const names = files.slice(0, 5).map((file) => file.split("/").slice(-2).join("/"));
  return [content.title, ...told, ...content.facts, content.narrative, names.join(" ")]
    .filter(isText)
    .join("\n")
    .slice(0, EMBEDDING_CHARS);
}

/** Lines that tell of an error come first: they are what is looked for by its words. */
export function rawExcerpt(payloadJson: string): string {
  let payload: { readonly toolInput?: unknown; readonly toolOutput?: unknown };
  try {
    payload = JSON.parse(payloadJson) as typeof payload;
  } catch {
    return "";
  }
  const input = [...stringsIn(payload.toolInput)].join("\n").slice(0, INPUT_CHARS);
  const output = typeof payload.toolOutput === "string" ? payload.toolOutput : "";
  return `${input}\n${outputExcerpt(output, RAW_CHARS - input.length)}`.trim();
}

const BODY_CHARS = 8_000;
const EMBEDDING_CHARS = 2_000;
const RAW_CHARS = 1_500;
const INPUT_CHARS = 700;
const ERROR_LINE =
  /error|fail|exception|panic|fatal|cannot|can't|unable|denied|refused|not found|undefined|traceback|오류|에러|실패|エラー|失敗|错误|失败/i;

function outputExcerpt(output: string, most: number): string {
  if (output.length <= most) return output;
  const lines = output.split("\n");
  const chosen: string[] = [];
  let length = 0;
  for (const pass of [true, false]) {
    for (const line of lines) {
      if (ERROR_LINE.test(line) !== pass || length >= most) continue;
      chosen.push(line.slice(0, most - length));
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
