import type { MemoryItem } from "../memory-item.ts";
import { fillBudget, type Given } from "./fill-budget.ts";
import { type Telling, toCandidate } from "./item-line.ts";
import { openFailures } from "./open-failures.ts";
import { toSafeLine } from "./safe-line.ts";

export interface FileInput extends Telling {
  /** Absolute, as the tool is given it. */
  readonly file: string;
  /** What is known of it, in any order; items of other files are passed over. */
  readonly items: readonly MemoryItem[];
  readonly sessionId: string;
  /** Files of which the session was told since its last compaction, and ids that it was given. */
  readonly filesGiven: ReadonlySet<string>;
  readonly given: ReadonlySet<number>;
  /** What the session itself did after this it still knows; null: it was never compacted. */
  readonly compactedAtIso: string | null;
}

const BUDGET_TOKENS = 200;
const MOST = 4;

/** What is known of a file before it is read or written: once a session, null when there is nothing. Pure. */
export function chooseForFile(input: FileInput): Given | null {
  const { file, project, filesGiven } = input;
  if (filesGiven.has(file)) return null;
  const items = input.items
    .filter((item) => mayBeGiven(item, input))
    .sort((a, b) => (a.createdAtIso < b.createdAtIso ? 1 : -1));
  const failures = new Set(openFailures(items));
  const decisions = items.filter(({ content }) => content.type === "decision");
  const changes = items.filter(({ content }) => content.filesModified.includes(file));
  const candidates = [
    ...decisions.slice(0, 2).map((item) => toCandidate(item, `a decision about ${file}`, input)),
    ...[...failures]
      .slice(0, 2)
      .map((item) => toCandidate(item, `failed with ${file}, not seen to work since`, input)),
    ...changes.map((item) => toCandidate(item, `changed ${file}`, input)),
  ];
  const name = toSafeLine(file.startsWith(`${project}/`) ? file.slice(project.length + 1) : file, 120);
  return fillBudget([{ heading: `Known of ${name}`, candidates, most: MOST, share: 1 }], BUDGET_TOKENS);
}

function mayBeGiven(
  item: MemoryItem,
  { file, project, sessionId, given, compactedAtIso }: FileInput,
): boolean {
  if (item.project !== project || item.kind === "prompt" || given.has(item.id)) return false;
  const { filesRead, filesModified } = item.content;
  if (!filesRead.includes(file) && !filesModified.includes(file)) return false;
  return item.sessionId !== sessionId || (compactedAtIso !== null && item.createdAtIso < compactedAtIso);
}
