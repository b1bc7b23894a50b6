import type { Timeline } from "../serve/contract.ts";
import { oneLine } from "../shown/plain-text.ts";
import { noPaint } from "./paint.ts";
import { itemLine, type MemoryTextOptions } from "./search-text.ts";

/** In order of time, grouped by prompt and session. */
export function timelineText({ entries }: Timeline, options: MemoryTextOptions): string {
  const { paint = noPaint } = options;
  const idCells = Math.max(0, ...entries.map(({ id }) => String(id).length));
  const lines: string[] = [];
  let session: string | null = null;
  for (const entry of entries) {
    if (entry.sessionId !== session) lines.push(paint("dim", `session ${oneLine(entry.sessionId)}`));
    session = entry.sessionId;
    const line = itemLine({ ...entry, marks: [], prefix: "" }, idCells, {
      ...options,
      width: options.width - 2,
    });
    lines.push(entry.isAnchor ? paint("bold", `▸ ${line}`) : `  ${line}`);
  }
  return lines.join("\n");
}
