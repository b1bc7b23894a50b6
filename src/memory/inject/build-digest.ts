import type { MemoryItem } from "../memory-item.ts";
import { type CandidateLine, fillBudget, type InjectedContext, type Section } from "./fill-budget.ts";
import { candidateWithText, gistOf, type LineFormat, shortenPaths, toCandidate } from "./item-line.ts";
import { findOpenFailures } from "./open-failures.ts";
import { findOpenSteps } from "./open-steps.ts";
import { toSafeLine } from "./safe-line.ts";

export type DigestSource = "startup" | "resume" | "compact";

export interface DigestInput extends LineFormat {
  readonly source: DigestSource;
  /** Project items in any order: turns, decisions, failures, fixes and changes, and all pinned ones. */
  readonly items: readonly MemoryItem[];
  /** Absolute paths of files that git reports as changed. */
  readonly changedFiles: readonly string[];
  readonly nowIso: string;
  readonly budgetTokens: number;
  /** Null: for any session. A resumed session gets what others did since its last event. */
  readonly sessionId: string | null;
  /** Work in progress of the session being compacted, by line. */
  readonly openWork?: readonly string[];
}

/** A failure neither repeated nor fixed for this long is history. */
const FAILURE_DAYS = 14;

/** Builds the context of a session's start; null when there is nothing to say. Pure. */
export function buildDigest(input: DigestInput): InjectedContext | null {
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
  const openWork = lines.map((line): CandidateLine => {
    return { text: toSafeLine(shortenPaths(line, input.project), 300), item: null };
  });
  return [
    pinned(items, input),
    { heading: "Open work before the compaction", candidates: openWork, maxLines: 8, share: 0.6 },
    nextSteps(own.length > 0 ? own : items, items, input),
  ];
}

function pinned(items: readonly MemoryItem[], input: DigestInput): Section {
  const candidates = items
    .filter((item) => item.pinned)
    .map((item) => toCandidate(item, "pinned", input, 300));
  return { heading: "Pinned", candidates, maxLines: 8, share: 0.4 };
}

/** Steps of `from`, checked against all later work. */
function nextSteps(from: readonly MemoryItem[], all: readonly MemoryItem[], input: DigestInput): Section {
  const wanted = new Set(from.map(({ id }) => id));
  // Failures that have their own lines are not listed as steps.
  const failures = input.source === "compact" ? [] : findOpenFailures(all);
  const failed = failures.map(({ content }) => content.title.slice(0, 60));
  const steps = findOpenSteps(all).filter(
    ({ item, step }) => wanted.has(item.id) && !failed.some((title) => step.includes(title)),
  );
  const byItem = Map.groupBy(steps, ({ item }) => item);
  const candidates = [...byItem].map(([item, steps]) => {
    // Includes what was done: an item has only one line.
    const words = `${steps.map(({ step }) => step).join("; ")} (after: ${item.content.title})`;
    return candidateWithText(item, words, "a next step that no later work completed", input, { limit: 360 });
  });
  return { heading: "Open next steps", candidates, maxLines: 4, share: 0.35 };
}

function touchingChanges(items: readonly MemoryItem[], input: DigestInput): Section {
  const touching = new Map<MemoryItem, string[]>();
  for (const file of input.changedFiles) {
    const touched = items.filter(
      ({ kind, content }) => kind !== "prompt" && content.filesModified.some((one) => isIn(one, file)),
    );
    // A turn says why, a call only what.
    const best = touched.find(({ summary }) => summary !== null) ?? touched[0];
    if (best !== undefined) touching.set(best, [...(touching.get(best) ?? []), file]);
  }
  const candidates = newestFirst([...touching.keys()]).map((item) => {
    const files = touching.get(item)!;
    const named = files.slice(0, 3).join(", ") + (files.length > 3 ? ` and ${files.length - 3} more` : "");
    return candidateWithText(
      item,
      `${named}: ${gistOf(item)}`,
      `touched ${named}, changed in git now`,
      input,
      {
        limit: 240,
      },
    );
  });
  const heading = "What touched the files now changed in git";
  return { heading, candidates, maxLines: 6, share: 0.3, mayRepeat: true };
}

/** Git lists an untracked folder with a trailing slash. */
function isIn(file: string, changed: string): boolean {
  return changed.endsWith("/") ? file.startsWith(changed) : file === changed;
}

function decisionsAndFailures(items: readonly MemoryItem[], input: DigestInput): Section {
  const oldest = new Date(Date.parse(input.nowIso) - FAILURE_DAYS * 86_400_000).toISOString();
  const failures = findOpenFailures(items)
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
  return { heading: "Recent decisions, and failures that still stand", candidates, maxLines: 8, share: 0.35 };
}

/** Turns, and the changes of turns without a summary. */
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
  return { heading, candidates, maxLines: 10, share: 1 };
}

function newestFirst(items: readonly MemoryItem[]): MemoryItem[] {
  return [...items].sort(compare);
}

function compare(a: MemoryItem, b: MemoryItem): number {
  if (a.createdAtIso !== b.createdAtIso) return a.createdAtIso > b.createdAtIso ? -1 : 1;
  return b.id - a.id;
}
