import type { SearchHit } from "../../serve/contract.ts";

/** Hits that differ only in numbers, dates or ids, represented by the best one. */
export interface HitGroup {
  readonly best: SearchHit;
  /** In their original order. */
  readonly similar: readonly SearchHit[];
}

/** Groups near-duplicates. A group takes the position of its best hit, so the ranking is unchanged. */
export function groupSimilar(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<string, { readonly best: SearchHit; readonly similar: SearchHit[] }>();
  for (const hit of hits) {
    const key = similarityKey(hit);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { best: hit, similar: [] });
    else group.similar.push(hit);
  }
  return [...groups.values()];
}

/** Pinned items stay visible on their own. */
function similarityKey({ id, type, project, toolName, title, why }: SearchHit): string {
  if (why.pinned) return `pinned ${id}`;
  return JSON.stringify([type, project, toolName, title.toLowerCase().replaceAll(VARIABLE, "#").trim()]);
}

/** Hex ids, and numbers with the marks inside dates, times, versions and amounts. */
const VARIABLE = /\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b|\d+(?:[.,:/-]\d+)*/g;
