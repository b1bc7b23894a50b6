import type { MemoryItem } from "../memory-item.ts";
import { type Candidate, fillBudget, type Given, type Section } from "./fill-budget.ts";
import { candidateOf, gistOf, shortPaths, type Telling, toCandidate } from "./item-line.ts";
import { openFailures } from "./open-failures.ts";
import { openSteps } from "./open-steps.ts";
import { toSafeLine } from "./safe-line.ts";

export type DigestSource = "startup" | "resume" | "compact";

export interface DigestInput extends Telling {
  readonly source: DigestSource;
  /** Of the project, in any order: turns, decisions, failures, fixes and changes, and whatever is pinned. */
  readonly items: readonly MemoryItem[];
  /** Absolute paths of what git says is changed now. */
  readonly changedFiles: readonly string[];
  readonly nowIso: string;
  readonly budgetTokens: number;
  /** For which session; null: for any. A resumed session is told what others did since it was last heard of. */
  readonly sessionId: string | null;
  /** What is under way in the session that is compacted, line by line. */
  readonly openWork?: readonly string[];
}

/** A failure that nobody repeated or mended for so long is history. */
const FAILURE_DAYS = 14;

/** What a session is told when it begins; null when there is nothing to tell. Pure. */
export function buildDigest(input: DigestInput): Given | null {
  const { source, budgetTokens } = input;
  switch (source) {
    case "startup":
      return fillBudget(atStart(input), budgetTokens);
    case "resume":
      return fillBudget(afterReturn(input), Math.floor(budgetTokens / 2));
    case "compact":
      return fillBudget(afterCompaction(input), budgetTokens);
    default:
      return source satisfies never;
  }
}

function atStart(input: DigestInput): Section[] {
  const items = newestFirst(input.items);
  return [
    pinned(items, input),
    nextSteps(items, items, input),
    touchingChanges(items, input),
    decisionsAndFailures(items, input),
    recentWork(items, input, "Recent work"),
  ];
}

function afterReturn(input: DigestInput): Section[] {
  const items = newestFirst(input.items);
  const lastHeard = items.find(({ sessionId }) => sessionId === input.sessionId)?.createdAtIso ?? "";
  const since = items.filter(
    ({ sessionId, createdAtIso }) => sessionId !== input.sessionId && createdAtIso > lastHeard,
  );
  const others = input.sessionId === null ? "Recent work" : "What other sessions did since";
  return [
    nextSteps(since, items, input),
    decisionsAndFailures(since, input),
    recentWork(since, input, others),
  ];
}

function afterCompaction(input: DigestInput): Section[] {
  const items = newestFirst(input.items);
  const own = items.filter(({ sessionId }) => sessionId === input.sessionId);
  const lines = (input.openWork ?? []).flatMap((work) => work.split(/\r?\n/));
  const openWork = lines.map((line): Candidate => {
    return { text: toSafeLine(shortPaths(line, input.project), 300), item: null };
  });
  return [
    pinned(items, input),
    { heading: "Open work before the compaction", candidates: openWork, most: 8, share: 0.6 },
    nextSteps(own.length > 0 ? own : items, items, input),
  ];
}

function pinned(items: readonly MemoryItem[], input: DigestInput): Section {
  const candidates = items
    .filter((item) => item.pinned)
    .map((item) => toCandidate(item, "pinned", input, 300));
  return { heading: "Pinned", candidates, most: 8, share: 0.4 };
}

/** Steps of `from`, held against all that was done since. */
function nextSteps(from: readonly MemoryItem[], all: readonly MemoryItem[], input: DigestInput): Section {
  const wanted = new Set(from.map(({ id }) => id));
  // Where failures have lines of their own, they are no steps.
  const failures = input.source === "compact" ? [] : openFailures(all);
  const failed = failures.map(({ content }) => content.title.slice(0, 60));
  const steps = openSteps(all).filter(
    ({ item, step }) => wanted.has(item.id) && !failed.some((title) => step.includes(title)),
  );
  const byItem = Map.groupBy(steps, ({ item }) => item);
  const candidates = [...byItem].map(([item, steps]) => {
    // With what was done: an item has one line.
    const words = `${steps.map(({ step }) => step).join("; ")} (after: ${item.content.title})`;
    return candidateOf(item, words, "a next step that no later work completed", input, { limit: 360 });
  });
  return { heading: "Open next steps", candidates, most: 4, share: 0.35 };
}

function touchingChanges(items: readonly MemoryItem[], input: DigestInput): Section {
  const touching = new Map<MemoryItem, string[]>();
  for (const file of input.changedFiles) {
    const touched = items.filter(
      ({ kind, content }) => kind !== "prompt" && content.filesModified.some((one) => isIn(one, file)),
    );
    // A turn says why; a call only what.
    const best = touched.find(({ summary }) => summary !== null) ?? touched[0];
    if (best !== undefined) touching.set(best, [...(touching.get(best) ?? []), file]);
  }
  const candidates = newestFirst([...touching.keys()]).map((item) => {
    const files = touching.get(item)!;
    const named = files.slice(0, 3).join(", ") + (files.length > 3 ? ` and ${files.length - 3} more` : "");
    return candidateOf(item, `${named}: ${gistOf(item)}`, `touched ${named}, changed in git now`, input, {
      limit: 240,
    });
  });
  const heading = "What touched the files now changed in git";
  return { heading, candidates, most: 6, share: 0.3, mayRepeat: true };
}

/** An untracked folder is named with its slash. */
function isIn(file: string, changed: string): boolean {
  return changed.endsWith("/") ? file.startsWith(changed) : file === changed;
}

function decisionsAndFailures(items: readonly MemoryItem[], input: DigestInput): Section {
  const oldest = new Date(Date.parse(input.nowIso) - FAILURE_DAYS * 86_400_000).toISOString();
  const failures = openFailures(items)
    .filter(({ createdAtIso }) => createdAtIso >= oldest)
    .slice(0, 4)
    .map((item) => ({ item, why: "failed, and was not seen to work since" }));
  const decisions = items
    .filter(({ content }) => content.type === "decision")
    .slice(0, 5)
    .map((item) => ({ item, why: "a recent decision" }));
  const candidates = [...failures, ...decisions]
    .sort((a, b) => compare(a.item, b.item))
    .map(({ item, why }) => toCandidate(item, why, input));
  return { heading: "Recent decisions, and failures that still stand", candidates, most: 8, share: 0.35 };
}

/** Turns, and of the turns that have no summary what was changed in them. */
function recentWork(items: readonly MemoryItem[], input: DigestInput, heading: string): Section {
  const turnOf = ({ sessionId, promptNumber }: MemoryItem) => `${sessionId} ${promptNumber}`;
  const told = new Set(items.filter(({ summary }) => summary !== null).map(turnOf));
  const candidates = items
    .filter((item) =>
      item.summary !== null
        ? gistOf(item) !== ""
        : ["change", "fix"].includes(item.content.type) && !told.has(turnOf(item)),
    )
    .slice(0, 30)
    .map((item) => toCandidate(item, "recent work", input));
  return { heading, candidates, most: 10, share: 1 };
}

function newestFirst(items: readonly MemoryItem[]): MemoryItem[] {
  return [...items].sort(compare);
}

function compare(a: MemoryItem, b: MemoryItem): number {
  if (a.createdAtIso !== b.createdAtIso) return a.createdAtIso > b.createdAtIso ? -1 : 1;
  return b.id - a.id;
}
