import type { ItemOverrides, ItemRow } from "../store/memory-rows.ts";
import { type ItemAuthor, ItemContent, type MemoryItem, SummaryContent } from "./memory-item.ts";

/** An item before overrides by imports, models and people. */
export type BaseItem = Omit<MemoryItem, "madeBy" | "pinned">;

/** The item as shown: a person's text overrides a model's, which overrides the rules'. */
export function resolveItem(
  base: BaseItem,
  { made, mark }: ItemOverrides,
  madeBy: ItemAuthor = "rules",
): ItemRow {
  let item: MemoryItem = { ...base, madeBy, pinned: mark?.pinned ?? false };
  const authors: readonly ItemAuthor[] = madeBy === "import" ? ["import", "model"] : ["model"];
  for (const author of authors) {
    const row = made.find((each) => each.madeBy === author);
    if (row !== undefined) item = withMade(item, author, row.itemJson);
  }
  return toRow(mark?.editJson == null ? item : withEdit(item, mark.editJson));
}

/** Files and tools are facts: a model's text changes neither. */
function withMade(item: MemoryItem, author: ItemAuthor, json: string): MemoryItem {
  const override = JSON.parse(json) as { content?: unknown; summary?: unknown };
  const content = ItemContent.partial().safeParse(override.content);
  const summary = SummaryContent.safeParse(override.summary);
  const { filesRead, filesModified } = item.content;
  const fixedFiles = author === "import" ? {} : { filesRead, filesModified };
  return {
    ...item,
    madeBy: author,
    content: content.success ? { ...item.content, ...content.data, ...fixedFiles } : item.content,
    summary: summary.success ? summary.data : item.summary,
  };
}

function withEdit(item: MemoryItem, json: string): MemoryItem {
  const edit = ItemContent.partial().safeParse(JSON.parse(json));
  if (!edit.success) return item;
  return { ...item, madeBy: "person", content: { ...item.content, ...edit.data } };
}

function toRow(item: MemoryItem): ItemRow {
  const { content, summary, ...fields } = item;
  return {
    ...fields,
    type: content.type,
    title: content.title,
    contentJson: JSON.stringify(content),
    summaryJson: summary === null ? null : JSON.stringify(summary),
  };
}

export function fromItemRow(row: ItemRow): MemoryItem {
  const { contentJson, summaryJson, type: _type, title: _title, ...fields } = row;
  return {
    ...fields,
    kind: fields.kind as MemoryItem["kind"],
    madeBy: fields.madeBy as ItemAuthor,
    content: JSON.parse(contentJson) as ItemContent,
    summary: summaryJson === null ? null : (JSON.parse(summaryJson) as SummaryContent),
  };
}
