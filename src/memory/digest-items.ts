import type { MemoryRows } from "../store/memory-rows.ts";
import type { MemoryItem } from "./memory-item.ts";
import { fromItemRow } from "./resolve-item.ts";

const MAX_ITEMS = 400;
const MAX_PINNED = 30;
const RUN_TYPES = ["command", "discovery", "research", "delegation"];
const MAX_RUNS = 2_000;

/**
 * Items worth a line in a digest: no prompts, and only calls that changed or decided something. Also includes
 * what else ran since the oldest failure, which shows whether a failure is over.
 */
export async function readDigestItems(rows: MemoryRows, project: string): Promise<MemoryItem[]> {
  const types = ["summary", "decision", "failure", "fix", "change", "test"];
  const shown = [
    ...(await rows.recentItems({ project, pinned: true, limit: MAX_PINNED })),
    ...(await rows.recentItems({ project, types, limit: MAX_ITEMS })),
  ];
  const sinceIso = shown.findLast(({ type }) => type === "failure")?.createdAtIso;
  const runs =
    sinceIso === undefined
      ? []
      : await rows.recentItems({
          project,
          kinds: ["observation"],
          types: RUN_TYPES,
          sinceIso,
          limit: MAX_RUNS,
        });
  return [...new Map([...shown, ...runs].map((row) => [row.id, row])).values()].map(fromItemRow);
}
