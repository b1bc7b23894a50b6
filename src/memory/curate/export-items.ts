import { z } from "zod";
import { MemoryItem } from "../memory-item.ts";

/** One line of an export. */
export const ExportedItem = MemoryItem.extend({ v: z.literal(1) });
export type ExportedItem = z.infer<typeof ExportedItem>;

export interface ExportFilter {
  /** The project's folder. */
  readonly project?: string | undefined;
  readonly session?: string | undefined;
}

/** Items as JSONL, without the line breaks. */
export function* exportItems(items: Iterable<MemoryItem>, filter: ExportFilter = {}): Generator<string> {
  for (const item of items) {
    if (filter.project !== undefined && item.project !== filter.project) continue;
    if (filter.session !== undefined && item.sessionId !== filter.session) continue;
    yield JSON.stringify({ v: 1, ...item });
  }
}
