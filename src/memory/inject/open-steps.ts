import type { MemoryItem } from "../memory-item.ts";
import { commandOf, showsSuccessOf } from "./open-failures.ts";
import { coverage, tellingWords } from "./same-words.ts";

export interface OpenStep {
  readonly item: MemoryItem;
  readonly step: string;
}

/** So many steps of one turn, and turns, are looked at. */
const STEPS = 5;
const TURNS = 20;
/** So much of a step's words in one later piece of work, and it counts as done. */
const DONE = 0.6;
/** So much of it in a newer step, and it is the same. */
const SAME = 0.7;

/**
 * Next steps that no later work completed, the newest first. Items come newest first. The last list of a session
 * stands for its earlier ones.
 */
export function openSteps(items: readonly MemoryItem[]): OpenStep[] {
  const open: OpenStep[] = [];
  const told: ReadonlySet<string>[] = [];
  const sessions = new Set<string>();
  let turns = 0;
  for (const [at, item] of items.entries()) {
    const steps = item.summary === null ? [] : splitSteps(item.summary.nextSteps ?? "");
    if (steps.length === 0 || sessions.has(item.sessionId)) continue;
    if (++turns > TURNS) break;
    sessions.add(item.sessionId);
    const later = items.slice(0, at);
    for (const step of steps) {
      if (wasMended(step, later) || wasAnswered(step, item, items, at)) continue;
      const words = tellingWords(step);
      const isFailure = failedIn(step) !== undefined;
      if (later.some((work) => isWork(work, isFailure) && coverage(words, wordsOf(work)) >= DONE)) continue;
      if (told.some((other) => coverage(words, other) >= SAME)) continue;
      told.push(words);
      open.push({ item, step });
    }
  }
  return open;
}

/** A list of steps, however it is written; what is ticked or says that there is none is left out. */
export function splitSteps(text: string): string[] {
  return text
    .split(/\r?\n|;\s+|(?:^|\s)(?=\d{1,2}[.)]\s)|\s[•·]\s/u)
    .map((line) => line.trim())
    .filter((line) => !/^[-*+]?\s*\[[xX✓]\]/u.test(line))
    .map((line) => line.replace(/^(?:[-*+•·]\s+)?(?:\[ ?\]\s*)?(?:\d{1,2}[.)]\s+)?/u, "").trim())
    .filter((line) => line.length > 2 && !NONE.test(line))
    .slice(0, STEPS);
}

/** Says that nothing is left, in a few words. A step that begins so and goes on to name work is one. */
const NONE = new RegExp(
  [
    String.raw`^(?:none|nothing|n/a)(?:\s+(?:to do|more|else|further|left|needed|required|remains?|for now)){0,3}(?:\s*[,;:.!–—-](?!.*\b(?:but|except|only|unless|until|add|fix|run|write|test|release|update)\b).{0,60})?$`,
    String.raw`^no (?:further|next|open|more|other|additional|remaining|follow-up)?\s*(?:next |open )?(?:steps?|work|actions?|changes?|tasks?|follow-ups?)(?:\s+(?:is|are|remains?|needed|required|left|necessary|planned|pending|for now|at this time)){0,3}[.!]?$`,
    "^(?:all|everything)(?:'s| is)? (?:done|complete|finished|in place)[.!]?$",
    String.raw`^(?:(?:특별히|더 이상|추가로|현재|지금|남은|다음)\s*)*(?:(?:할|해야 할|진행할|남은|추가)\s*)*(?:(?:일|작업|단계|것|사항)(?:은|이|는)?\s*)?(?:없음|없습니다|없어요|없다)[.!]?$`,
    "^(?:なし|特になし|ありません|无|無|没有)[.。!]?$",
  ].join("|"),
  "iu",
);

/** A failure that a turn ended with, and that was seen to go well later. */
function wasMended(step: string, later: readonly MemoryItem[]): boolean {
  const name = failedIn(step);
  if (name === undefined) return false;
  return later.some(
    (item) =>
      showsSuccessOf(name, item) ??
      (item.success === true && item.content.type !== "failure" && item.content.title.includes(name)),
  );
}

/** What the step says has failed. */
function failedIn(step: string): string | undefined {
  return /^unresolved: (.+?)…? failed\b/iu.exec(step)?.[1];
}

/** A question is answered by whatever the person says next in its session, or by a decision on the same matter. */
function wasAnswered(step: string, asked: MemoryItem, items: readonly MemoryItem[], at: number): boolean {
  if (!/^asked: |[?？]$/iu.test(step)) return false;
  const words = tellingWords(step.replace(/^asked: /iu, ""));
  return items.some((item, place) => {
    const isOfTurn = item.sessionId === asked.sessionId && item.promptNumber === asked.promptNumber;
    if (place >= at && !isOfTurn) return false;
    if (place < at && item.sessionId === asked.sessionId && !isOfTurn) return true;
    return item.content.type === "decision" && coverage(words, wordsOf(item)) >= ANSWERED;
  });
}

/** So much of a question's words in a later decision, and it is decided. */
const ANSWERED = 0.4;

/** That a command was run again does not end its failure, whatever words it has. */
function isWork({ content, summary, success }: MemoryItem, isFailure: boolean): boolean {
  if (isFailure && commandOf(content) !== null) return false;
  if (summary !== null) return summary.completed !== null;
  return success !== false && ["change", "fix", "test", "decision", "command"].includes(content.type);
}

/** Several digests are made of the same items. */
const known = new WeakMap<MemoryItem, ReadonlySet<string>>();

function wordsOf(item: MemoryItem): ReadonlySet<string> {
  let words = known.get(item);
  if (words === undefined) {
    const { content, summary } = item;
    const text = summary === null ? [content.title, ...content.facts].join("\n") : (summary.completed ?? "");
    words = tellingWords(text);
    known.set(item, words);
  }
  return words;
}
