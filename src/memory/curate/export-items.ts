import { z } from "zod";
import type { MemoryRows } from "../../store/memory-rows.ts";
import { MemoryItem } from "../memory-item.ts";
import { fromItemRow } from "../resolve-item.ts";

/** One line of an export. */
export const ExportedItem = MemoryItem.extend({ v: z.literal(1) });
export type ExportedItem = z.infer<typeof ExportedItem>;

export interface ExportFilter {
  /** Project folders. */
  readonly projects?: readonly string[] | undefined;
  readonly session?: string | undefined;
}

/** Items as JSONL, without the line breaks. */
export function* exportItems(items: Iterable<MemoryItem>, filter: ExportFilter = {}): Generator<string> {
  for (const item of items) {
    if (filter.projects !== undefined && !filter.projects.includes(item.project ?? "")) continue;
    if (filter.session !== undefined && item.sessionId !== filter.session) continue;
    yield JSON.stringify({ v: 1, ...item });
  }
}

const PAGE_SIZE = 500;

/** Yields every item by id, a page at a time, so others can write between two pages. */
export async function* itemPages(rows: Pick<MemoryRows, "itemsAfter">): AsyncGenerator<MemoryItem[]> {
  for (let last: number | undefined; ; ) {
    const page = await rows.itemsAfter(last, PAGE_SIZE);
    if (page.length === 0) return;
    yield page.map(fromItemRow);
    last = page.at(-1)!.id;
  }
}
