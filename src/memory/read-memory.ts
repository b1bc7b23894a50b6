import type { CallContent, InjectionRow, ItemRow, MemoryRows } from "../store/memory-rows.ts";
import { estimateTokens, itemText } from "./item-text.ts";
import type { InjectedItem, Injection, ItemDetail, Timeline, TimelineEntry } from "./memory-contract.ts";
import { fromItemRow } from "./resolve-item.ts";

/** Returns full items in the requested order; unknown ids are left out. */
export async function readItems(rows: MemoryRows, ids: readonly number[]): Promise<ItemDetail[]> {
  const found = new Map((await rows.items(ids)).map((row) => [row.id, row]));
  const details: ItemDetail[] = [];
  for (const id of ids) {
    const row = found.get(id);
    if (row === undefined) continue;
    const tool = row.kind === "observation" ? await rows.callOf(id) : undefined;
    details.push(toDetail(row, tool ?? null));
  }
  return details;
}

export interface TimelineRequest {
  readonly anchor: number;
  readonly before: number;
  readonly after: number;
  readonly within: "session" | "project";
  readonly type?: string | undefined;
}

/** Returns what happened around an item; null when there is no such item. */
export async function readTimeline(rows: MemoryRows, request: TimelineRequest): Promise<Timeline | null> {
  const { anchor, ...range } = request;
  const found = await rows.neighbours({ itemId: anchor, ...range });
  if (found.length === 0) return null;
  return { anchor, entries: found.map((row) => toEntry(row, anchor)) };
}

export async function readInjections(
  rows: MemoryRows,
  query: {
    readonly sessionId?: string | undefined;
    readonly project?: string | undefined;
    readonly limit: number;
  },
): Promise<Injection[]> {
  return (await rows.injections(query)).map(toInjection);
}

function toDetail(row: ItemRow, tool: CallContent | null): ItemDetail {
  const item = fromItemRow(row);
  const text = itemText(item);
  const raw = tool === null ? "" : `${JSON.stringify(tool.input)}${tool.output ?? ""}`;
  return { ...item, text, tool, tokens: estimateTokens(text) + estimateTokens(raw) };
}

function toEntry(row: ItemRow, anchor: number): TimelineEntry {
  const { id, kind, content, sessionId, promptNumber, toolName, createdAtIso, summary } = fromItemRow(row);
  const { type, title, filesModified, filesRead } = content;
  const tokens = estimateTokens(itemText({ content, summary }));
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
  const items = JSON.parse(itemsJson) as InjectedItem[];
  return { ...rest, kind: kind as Injection["kind"], items };
}
