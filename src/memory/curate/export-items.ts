import { z } from "zod";
import { MemoryItem } from "../memory-item.ts";

/** One line of an export. */
export const ExportedItem = MemoryItem.extend({ v: z.literal(1) });
export type ExportedItem = z.infer<typeof ExportedItem>;

export interface ExportFilter {
  /** Folders of projects. */
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
