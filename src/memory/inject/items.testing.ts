import type { SearchHit } from "../memory-contract.ts";
import type { ItemContent, MemoryItem, SummaryContent } from "../memory-item.ts";

/** Builds items of a project `/srv/shop`, one minute apart in the order of their ids. */
export function makeItem(
  id: number,
  content: Partial<ItemContent> = {},
  rest: Partial<Omit<MemoryItem, "content" | "id">> = {},
): MemoryItem {
  return {
    id,
    kind: "observation",
    sessionId: "s1",
    project: "/srv/shop",
    promptNumber: 1,
    toolName: "Bash",
    branch: null,
    success: true,
    createdAtIso: minute(id),
    content: {
      type: "change",
      title: `Change ${id}`,
      facts: [],
      narrative: null,
      filesRead: [],
      filesModified: [],
      concepts: [],
      ...content,
    },
    summary: null,
    madeBy: "rules",
    pinned: false,
    ...rest,
  };
}

export function makeTurn(
  id: number,
  summary: Partial<SummaryContent>,
  rest: Partial<Omit<MemoryItem, "content" | "id">> = {},
  content: Partial<ItemContent> = {},
): MemoryItem {
  const empty = { request: null, investigated: null, learned: null, completed: null, nextSteps: null };
  const title = summary.completed ?? summary.request ?? `Turn ${id}`;
  return makeItem(
    id,
    { type: "summary", title, ...content },
    { kind: "summary", toolName: null, success: null, summary: { ...empty, ...summary }, ...rest },
  );
}

export function makeHit(id: number, rest: Partial<SearchHit> = {}): SearchHit {
  return {
    id,
    kind: "observation",
    type: "fix",
    title: `Fix ${id}`,
    snippet: `how ${id} was fixed`,
    marks: [],
    score: 1,
    why: { fullText: 1, vector: null, recency: 0, sameFile: false, pinned: false },
    sessionId: "s1",
    project: "/srv/shop",
    promptNumber: 1,
    toolName: "Edit",
    branch: null,
    success: true,
    outcome: null,
    createdAtIso: minute(id),
    files: [],
    tokens: 40,
    ...rest,
  };
}

export function minute(id: number): string {
  return new Date(Date.UTC(2026, 10, 12, 10, id)).toISOString();
}

export const lineFormat = { project: "/srv/shop", timeZone: "UTC" } as const;
