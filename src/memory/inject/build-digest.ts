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
  const lastEventIso = items.find(({ sessionId }) => sessionId === input.sessionId)?.createdAtIso ?? "";
  const later = items.filter(
    ({ sessionId, createdAtIso }) => sessionId !== input.sessionId && createdAtIso > lastEventIso,
  );
  const heading = input.sessionId === null ? "Recent work" : "What other sessions did since";
  return [
    nextSteps(later, items, input),
    decisionsAndFailures(later, input),
    recentWork(later, input, heading),
  ];
}

function afterCompaction(input: DigestInput): Section[] {
  const items = newestFirst(input.items);
  const ownItems = items.filter(({ sessionId }) => sessionId === input.sessionId);
  const lines = (input.openWork ?? []).flatMap((work) => work.split(/\r?\n/));
  const openWork = lines.map((line): CandidateLine => {
    return { text: toSafeLine(shortenPaths(line, input.project), 300), item: null };
  });
  return [
    pinned(items, input),
    { heading: "Open work before the compaction", candidates: openWork, maxLines: 8, share: 0.6 },
    nextSteps(ownItems.length > 0 ? ownItems : items, items, input),
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
  const sourceIds = new Set(from.map(({ id }) => id));
  // Failures that have their own lines are not listed as steps.
  const failures = input.source === "compact" ? [] : findOpenFailures(all);
  const failureTitles = failures.map(({ content }) => content.title.slice(0, 60));
  const steps = findOpenSteps(all).filter(
    ({ item, step }) => sourceIds.has(item.id) && !failureTitles.some((title) => step.includes(title)),
  );
  const byItem = Map.groupBy(steps, ({ item }) => item);
  const candidates = [...byItem].map(([item, steps]) => {
    // Includes what was done: an item has only one line.
    const text = `${steps.map(({ step }) => step).join("; ")} (after: ${item.content.title})`;
    return candidateWithText(item, text, "a next step that no later work completed", input, { limit: 360 });
  });
  return { heading: "Open next steps", candidates, maxLines: 4, share: 0.35 };
}

function touchingChanges(items: readonly MemoryItem[], input: DigestInput): Section {
  const touching = new Map<MemoryItem, string[]>();
  for (const file of input.changedFiles) {
    const touched = items.filter(
      ({ kind, content }) =>
        kind !== "prompt" && content.filesModified.some((modified) => isIn(modified, file)),
    );
    // A turn says why, a call only what.
    const preferred = touched.find(({ summary }) => summary !== null) ?? touched[0];
    if (preferred !== undefined) touching.set(preferred, [...(touching.get(preferred) ?? []), file]);
  }
  const candidates = newestFirst([...touching.keys()]).map((item) => {
    const files = touching.get(item)!;
    const fileList = files.slice(0, 3).join(", ") + (files.length > 3 ? ` and ${files.length - 3} more` : "");
    return candidateWithText(
      item,
      `${fileList}: ${gistOf(item)}`,
      `touched ${fileList}, changed in git now`,
      input,
      {
        limit: 240,
      },
    );
  });
  const heading = "Work on the files now changed in git";
  return { heading, candidates, maxLines: 6, share: 0.3, mayRepeat: true };
}

/** Git lists an untracked folder with a trailing slash. */
function isIn(file: string, changed: string): boolean {
  return changed.endsWith("/") ? file.startsWith(changed) : file === changed;
}

function decisionsAndFailures(items: readonly MemoryItem[], input: DigestInput): Section {
  const oldestIso = new Date(Date.parse(input.nowIso) - FAILURE_DAYS * 86_400_000).toISOString();
  const failures = findOpenFailures(items)
    .filter(({ createdAtIso }) => createdAtIso >= oldestIso)
    .slice(0, 4)
    .map((item) => ({ item, why: "failed, and has not succeeded since" }));
  const decisions = items
    .filter(({ content }) => content.type === "decision")
    .slice(0, 5)
    .map((item) => ({ item, why: "a recent decision" }));
  const candidates = [...failures, ...decisions]
    .sort((a, b) => compare(a.item, b.item))
    .map(({ item, why }) => toCandidate(item, why, input));
  return { heading: "Recent decisions and open failures", candidates, maxLines: 8, share: 0.35 };
}

/** Turns, and the changes of turns without a summary. */
function recentWork(items: readonly MemoryItem[], input: DigestInput, heading: string): Section {
  const turnOf = ({ sessionId, promptNumber }: MemoryItem) => `${sessionId} ${promptNumber}`;
  const summarisedTurns = new Set(items.filter(({ summary }) => summary !== null).map(turnOf));
  const candidates = items
    .filter((item) =>
      item.summary !== null
        ? gistOf(item) !== ""
        : ["change", "fix"].includes(item.content.type) && !summarisedTurns.has(turnOf(item)),
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
