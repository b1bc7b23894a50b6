import type { MemoryItem } from "../memory-item.ts";
import { fillBudget, type InjectedContext } from "./fill-budget.ts";
import { type LineFormat, toCandidate } from "./item-line.ts";
import { findOpenFailures } from "./open-failures.ts";
import { toSafeLine } from "./safe-line.ts";

export interface FileInput extends LineFormat {
  /** Absolute, as passed to the tool. */
  readonly file: string;
  /** Known items in any order; those of other files are skipped. */
  readonly items: readonly MemoryItem[];
  readonly sessionId: string;
  /** Files already covered in the session since its last compaction, and item ids injected into it. */
  readonly injectedFiles: ReadonlySet<string>;
  readonly injectedIds: ReadonlySet<number>;
  /** The session still knows what it did after this; null: it was never compacted. */
  readonly compactedAtIso: string | null;
}

const FILE_BUDGET_TOKENS = 200;
const MAX_LINES = 4;

/** What is known of a file before it is read or written, once per session; null if nothing. Pure. */
export function chooseForFile(input: FileInput): InjectedContext | null {
  const { file, project, injectedFiles } = input;
  if (injectedFiles.has(file)) return null;
  const items = input.items
    .filter((item) => mayBeInjected(item, input))
    .sort((a, b) => (a.createdAtIso < b.createdAtIso ? 1 : -1));
  const failures = new Set(findOpenFailures(items));
  const decisions = items.filter(({ content }) => content.type === "decision");
  const changes = items.filter(({ content }) => content.filesModified.includes(file));
  const candidates = [
    ...decisions.slice(0, 2).map((item) => toCandidate(item, `a decision about ${file}`, input)),
    ...[...failures]
      .slice(0, 2)
      .map((item) => toCandidate(item, `failed with ${file}, and has not succeeded since`, input)),
    ...changes.map((item) => toCandidate(item, `changed ${file}`, input)),
  ];
  const name = toSafeLine(file.startsWith(`${project}/`) ? file.slice(project.length + 1) : file, 120);
  return fillBudget(
    [{ heading: `Known about ${name}`, candidates, maxLines: MAX_LINES, share: 1 }],
    FILE_BUDGET_TOKENS,
  );
}

function mayBeInjected(
  item: MemoryItem,
  { file, project, sessionId, injectedIds, compactedAtIso }: FileInput,
): boolean {
  if (item.project !== project || item.kind === "prompt" || injectedIds.has(item.id)) return false;
  const { filesRead, filesModified } = item.content;
  if (!filesRead.includes(file) && !filesModified.includes(file)) return false;
  return item.sessionId !== sessionId || (compactedAtIso !== null && item.createdAtIso < compactedAtIso);
}
