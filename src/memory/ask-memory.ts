import type { InjectionRow, ItemRow, MemoryRows } from "../store/memory-rows.ts";
import { itemText, tokensOf } from "./item-text.ts";
import type { GivenItem, Injection, ItemDetail, Timeline, TimelineEntry } from "./memory-contract.ts";
import { fromItemRow } from "./resolve-item.ts";

/** Items whole, in the order they were asked for; ids that nobody knows are left out. */
export function askItems(rows: MemoryRows, ids: readonly number[]): ItemDetail[] {
  const found = new Map(rows.items(ids).map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = found.get(id);
    return row === undefined ? [] : [toDetail(rows, row)];
  });
}

export interface TimelineAsk {
  readonly anchor: number;
  readonly before: number;
  readonly after: number;
  readonly within: "session" | "project";
  readonly type?: string | undefined;
}

/** What happened around an item; null when there is no such item. */
export function askTimeline(rows: MemoryRows, ask: TimelineAsk): Timeline | null {
  const { anchor, ...around } = ask;
  const found = rows.neighbours({ itemId: anchor, ...around });
  if (found.length === 0) return null;
  return { anchor, entries: found.map((row) => toEntry(row, anchor)) };
}

export function askInjections(
  rows: MemoryRows,
  query: {
    readonly sessionId?: string | undefined;
    readonly project?: string | undefined;
    readonly limit: number;
  },
): Injection[] {
  return rows.injections(query).map(toInjection);
}

function toDetail(rows: MemoryRows, row: ItemRow): ItemDetail {
  const item = fromItemRow(row);
  const text = itemText(item);
  const tool = item.kind === "observation" ? (rows.callOf(item.id) ?? null) : null;
  const raw = tool === null ? "" : `${JSON.stringify(tool.input)}${tool.output ?? ""}`;
  return { ...item, text, tool, tokens: tokensOf(text) + tokensOf(raw) };
}

function toEntry(row: ItemRow, anchor: number): TimelineEntry {
  const { id, kind, content, sessionId, promptNumber, toolName, createdAtIso, summary } = fromItemRow(row);
  const { type, title, filesModified, filesRead } = content;
  const tokens = tokensOf(itemText({ content, summary }));
  return {
    id,
    kind,
    type,
    title,
    sessionId,
    promptNumber,
    toolName,
    createdAtIso,
    file: filesModified[0] ?? filesRead[0] ?? null,
    tokens,
    isAnchor: id === anchor,
  };
}

function toInjection({ id: _id, itemsJson, kind, ...rest }: InjectionRow): Injection {
  const items = JSON.parse(itemsJson) as GivenItem[];
  return { ...rest, kind: kind as Injection["kind"], items };
}
