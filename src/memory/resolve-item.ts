import type { ItemOverrides, ItemRow } from "../store/memory-rows.ts";
import { type ItemAuthor, ItemContent, type MemoryItem, SummaryContent } from "./memory-item.ts";

/** An item before overrides by imports, models and people. */
export type BaseItem = Omit<MemoryItem, "madeBy" | "pinned">;

/** The item as shown: a person's text overrides a model's, which overrides the rules'. */
export function resolveItem(
  basis: BaseItem,
  { made, mark }: ItemOverrides,
  madeBy: ItemAuthor = "rules",
): ItemRow {
  let item: MemoryItem = { ...basis, madeBy, pinned: mark?.pinned ?? false };
  const wanted: readonly ItemAuthor[] = madeBy === "import" ? ["import", "model"] : ["model"];
  for (const maker of wanted) {
    const row = made.find((each) => each.madeBy === maker);
    if (row !== undefined) item = withMade(item, maker, row.itemJson);
  }
  return toRow(mark?.editJson == null ? item : withEdit(item, mark.editJson));
}

/** Files and tools are facts: a model's text changes neither. */
function withMade(item: MemoryItem, maker: ItemAuthor, json: string): MemoryItem {
  const told = JSON.parse(json) as { content?: unknown; summary?: unknown };
  const content = ItemContent.partial().safeParse(told.content);
  const summary = SummaryContent.safeParse(told.summary);
  const { filesRead, filesModified } = item.content;
  const kept = maker === "import" ? {} : { filesRead, filesModified };
  return {
    ...item,
    madeBy: maker,
    content: content.success ? { ...item.content, ...content.data, ...kept } : item.content,
    summary: summary.success ? summary.data : item.summary,
  };
}

function withEdit(item: MemoryItem, json: string): MemoryItem {
  const edit = ItemContent.partial().safeParse(JSON.parse(json));
  if (!edit.success) return item;
  return { ...item, madeBy: "person", content: { ...item.content, ...edit.data } };
}

function toRow(item: MemoryItem): ItemRow {
  const { content, summary, ...place } = item;
  return {
    ...place,
    type: content.type,
    title: content.title,
    contentJson: JSON.stringify(content),
    summaryJson: summary === null ? null : JSON.stringify(summary),
  };
}

export function fromItemRow(row: ItemRow): MemoryItem {
  const { contentJson, summaryJson, type: _type, title: _title, ...place } = row;
  return {
    ...place,
    kind: place.kind as MemoryItem["kind"],
    madeBy: place.madeBy as ItemAuthor,
    content: JSON.parse(contentJson) as ItemContent,
    summary: summaryJson === null ? null : (JSON.parse(summaryJson) as SummaryContent),
  };
}
