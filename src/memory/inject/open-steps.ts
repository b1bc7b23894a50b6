import type { MemoryItem } from "../memory-item.ts";
import { coverage, keywordsOf } from "./keyword-overlap.ts";
import { commandOf, showsSuccessOf } from "./open-failures.ts";

export interface OpenStep {
  readonly item: MemoryItem;
  readonly step: string;
}

/** Maximum steps per turn, and turns. */
const MAX_STEPS_PER_TURN = 5;
const MAX_TURNS = 20;
/** Share of a step's words in one later piece of work from which it counts as done. */
const MIN_DONE_COVERAGE = 0.6;
/** Share of its words in a newer step from which the two are the same. */
const MIN_SAME_COVERAGE = 0.7;

/**
 * Next steps that no later work completed, newest first. Items come newest first. The last list of a session
 * replaces its earlier ones.
 */
export function findOpenSteps(items: readonly MemoryItem[]): OpenStep[] {
  const open: OpenStep[] = [];
  const seenKeywords: ReadonlySet<string>[] = [];
  const sessions = new Set<string>();
  let turns = 0;
  for (const [at, item] of items.entries()) {
    const steps = item.summary === null ? [] : splitSteps(item.summary.nextSteps ?? "");
    if (steps.length === 0 || sessions.has(item.sessionId)) continue;
    if (++turns > MAX_TURNS) break;
    sessions.add(item.sessionId);
    const later = items.slice(0, at);
    for (const step of steps) {
      if (wasFixed(step, later) || wasAnswered(step, item, items, at)) continue;
      const words = keywordsOf(step);
      const isFailure = failedCommandIn(step) !== undefined;
      if (
        later.some(
          (work) => isWork(work, isFailure) && coverage(words, keywordsOfItem(work)) >= MIN_DONE_COVERAGE,
        )
      )
        continue;
      if (seenKeywords.some((other) => coverage(words, other) >= MIN_SAME_COVERAGE)) continue;
      seenKeywords.push(words);
      open.push({ item, step });
    }
  }
  return open;
}

/** Splits a list of steps in any notation; skips ticked ones and those that say there are none. */
export function splitSteps(text: string): string[] {
  return text
    .split(/\r?\n|;\s+|(?:^|\s)(?=\d{1,2}[.)]\s)|\s[•·]\s/u)
    .map((line) => line.trim())
    .filter((line) => !/^[-*+]?\s*\[[xX✓]\]/u.test(line))
    .map((line) => line.replace(/^(?:[-*+•·]\s+)?(?:\[ ?\]\s*)?(?:\d{1,2}[.)]\s+)?/u, "").trim())
    .filter((line) => line.length > 2 && !NO_STEPS.test(line))
    .slice(0, MAX_STEPS_PER_TURN);
}

/** Says briefly that nothing is left. A line that starts so but goes on to name work is a step. */
const NO_STEPS = new RegExp(
  [
    "^(?:none|nothing|n/a)(?:\\s+(?:to do|more|else|further|left|needed|required|remains?|for now)){0,3}(?:\\s*[,;:.!–—-](?!.*\\b(?:but|except|only|unless|until|add|fix|run|write|test|release|update)\\b).{0,60})?$",
    String.raw`^no (?:further|next|open|more|other|additional|remaining|follow-up)?\s*(?:next |open )?(?:steps?|work|actions?|changes?|tasks?|follow-ups?)(?:\s+(?:is|are|remains?|needed|required|left|necessary|planned|pending|for now|at this time)){0,3}[.!]?$`,
    "^(?:all|everything)(?:'s| is)? (?:done|complete|finished|in place)[.!]?$",
    "^(?:(?:특별히|더 이상|추가로|현재|지금|남은|다음)\\s*)*(?:(?:할|해야 할|진행할|남은|추가)\\s*)*(?:(?:일|작업|단계|것|사항)(?:은|이|는)?\\s*)?(?:없음|없습니다|없어요|없다)[.!]?$",
    "^(?:なし|特になし|ありません|无|無|没有)[.。!]?$",
  ].join("|"),
  "iu",
);

/** A failure that ended a turn and succeeded later. */
function wasFixed(step: string, later: readonly MemoryItem[]): boolean {
  const name = failedCommandIn(step);
  if (name === undefined) return false;
  const shows = showsSuccessOf(name);
  return later.some(
    (item) =>
      shows(item) ??
      (item.success === true && item.content.type !== "failure" && item.content.title.includes(name)),
  );
}

/** The command that the step says failed. */
function failedCommandIn(step: string): string | undefined {
  return /^unresolved: (.+?)…? failed\b/iu.exec(step)?.[1];
}

/** A question is answered by the user's next prompt in its session, or by a decision on the same topic. */
function wasAnswered(
  step: string,
  turn: MemoryItem,
  items: readonly MemoryItem[],
  turnIndex: number,
): boolean {
  if (!/^asked: |[?？]$/iu.test(step)) return false;
  const words = keywordsOf(step.replace(/^asked: /iu, ""));
  return items.some((item, index) => {
    const isSameTurn = item.sessionId === turn.sessionId && item.promptNumber === turn.promptNumber;
    if (index >= turnIndex && !isSameTurn) return false;
    if (index < turnIndex && item.sessionId === turn.sessionId && !isSameTurn) return true;
    return item.content.type === "decision" && coverage(words, keywordsOfItem(item)) >= MIN_ANSWER_COVERAGE;
  });
}

/** Share of a question's words in a later decision from which it counts as answered. */
const MIN_ANSWER_COVERAGE = 0.4;

/** Running a command again does not end its failure, whatever its words. */
function isWork({ content, summary, success }: MemoryItem, isFailure: boolean): boolean {
  if (isFailure && commandOf(content) !== null) return false;
  if (summary !== null) return summary.completed !== null;
  return success !== false && ["change", "fix", "test", "decision", "command"].includes(content.type);
}

/** Memoised: several digests share the same items. */
const keywordCache = new WeakMap<MemoryItem, ReadonlySet<string>>();

function keywordsOfItem(item: MemoryItem): ReadonlySet<string> {
  let words = keywordCache.get(item);
  if (words === undefined) {
    const { content, summary } = item;
    const text = summary === null ? [content.title, ...content.facts].join("\n") : (summary.completed ?? "");
    words = keywordsOf(text);
    keywordCache.set(item, words);
  }
  return words;
}
