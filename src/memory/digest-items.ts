import type { MemoryRows } from "../store/memory-rows.ts";
import type { MemoryItem } from "./memory-item.ts";
import { fromItemRow } from "./resolve-item.ts";

const ITEMS = 400;
const PINNED = 30;
const RAN = ["command", "discovery", "research", "delegation"];
const RAN_ITEMS = 2_000;

/**
 * Items worth a line in a digest: no prompts, and only calls that changed or decided something. Also includes
 * what else ran since the oldest failure, which shows whether a failure is over.
 */
export async function readDigestItems(rows: MemoryRows, project: string): Promise<MemoryItem[]> {
  const types = ["summary", "decision", "failure", "fix", "change", "test"];
  const told = [
    ...(await rows.recentItems({ project, pinned: true, limit: PINNED })),
    ...(await rows.recentItems({ project, types, limit: ITEMS })),
  ];
  const sinceIso = told.findLast(({ type }) => type === "failure")?.createdAtIso;
  const ran =
    sinceIso === undefined
      ? []
      : await rows.recentItems({ project, kinds: ["observation"], types: RAN, sinceIso, limit: RAN_ITEMS });
  return [...new Map([...told, ...ran].map((row) => [row.id, row])).values()].map(fromItemRow);
}
