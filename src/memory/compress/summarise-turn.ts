import type { ItemContent, SummaryContent } from "../memory-item.ts";
import { clip, clipLine, formatList, oneLine, proseOf } from "./clean-text.ts";
import { plainLine, sentencesOf } from "./sentences.ts";
import { isKnownTestFact } from "./test-run.ts";
import {
  isOpenHeading,
  statesDone,
  statesFinding,
  statesIntent,
  statesOpenWork,
  withoutNextLabel,
} from "./text-cues.ts";

export interface TurnInput {
  readonly prompt: string | null;
  /** The agent's messages of the turn, in order. */
  readonly messages: readonly string[];
  readonly lastAnswer: string | null;
  readonly calls: readonly TurnCall[];
  /** Why the turn failed or was interrupted; null when it ended normally. */
  readonly failed: string | null;
}

export interface TurnCall {
  readonly toolName: string | null;
  readonly success: boolean | null;
  readonly content: ItemContent;
}

const MAX_REQUEST_CHARS = 300;
const MAX_PART_CHARS = 600;
const MAX_OPEN_WORK_CHARS = 800;
const MAX_CALLS = 2_000;
const MAX_MESSAGES = 200;

/** Summarises a turn and its outcome by rules. Null when there is nothing to say. Pure and total. */
export function summariseTurn(turn: TurnInput): SummaryContent | null {
  const parsed = parseTurn(turn);
  const isEmpty =
    parsed.request === null &&
    parsed.calls.length === 0 &&
    parsed.sentences.every((sentence) => ACKNOWLEDGEMENT.test(sentence));
  if (isEmpty && parsed.failed === "") return null;
  return {
    request: parsed.request,
    investigated: investigated(parsed),
    learned: learned(parsed),
    completed: completed(parsed),
    nextSteps: nextSteps(parsed),
  };
}

/** After a machine-written prompt, these say nothing that is worth remembering. */
const ACKNOWLEDGEMENT =
  /^(?:(?:all )?done|ok(?:ay)?|noted|understood|acknowledged|got it|finished|completed?|완료(?:했습니다|됐습니다)?|확인했습니다|알겠습니다)[.!]?$/i;

/** For a running turn: what was asked, what is done so far, and what is open. */
export function describeOpenWork(turn: TurnInput): string | null {
  const parsed = parseTurn(turn);
  const done = completed(parsed);
  const open = joinParts([...unresolved(parsed), lastIntent(parsed), ...openSentences(parsed.answer)], 240);
  const found = done === null ? learned(parsed) : null;
  const parts = [
    parsed.request === null ? null : `Request: ${parsed.request}`,
    done === null ? null : `Done so far: ${clip(done, 240)}`,
    found === null ? null : `Found so far: ${clip(found, 160)}`,
    open === null ? null : `Open: ${open}`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  const lookedAt = parts.length === 1 && parsed.request !== null ? investigated(parsed) : null;
  return clip(
    [...parts, ...(lookedAt === null ? [] : [`Looked at: ${lookedAt}`])].join("\n"),
    MAX_OPEN_WORK_CHARS,
  );
}

interface ParsedTurn {
  readonly request: string | null;
  /** Distinct sentences of all messages, in order. */
  readonly sentences: readonly string[];
  /** The last answer, as prose. */
  readonly answer: string;
  readonly calls: readonly TurnCall[];
  readonly failed: string;
}

function parseTurn(turn: TurnInput): ParsedTurn {
  const messages = turn.messages.slice(-MAX_MESSAGES).map((message) => proseOf(message, 4_000));
  const answer = proseOf(turn.lastAnswer) || (messages.at(-1) ?? "");
  const sentences = new Set<string>();
  for (const message of [...messages, answer])
    for (const sentence of sentencesOf(message)) sentences.add(sentence);
  const request = firstSentences(proseOf(turn.prompt, 4_000), MAX_REQUEST_CHARS);
  return {
    request: request === "" ? null : request,
    sentences: [...sentences],
    answer,
    calls: turn.calls.slice(0, MAX_CALLS),
    failed: clipLine(proseOf(turn.failed, 1_000), 200),
  };
}

function firstSentences(prose: string, limit: number): string {
  let text = "";
  for (const sentence of sentencesOf(prose)) {
    const next = text === "" ? sentence : `${text} ${sentence}`;
    if (text !== "" && next.length > limit) break;
    text = next;
  }
  return clipLine(text, limit);
}

const INVESTIGATIONS: ReadonlySet<string> = new Set(["discovery", "research", "delegation"]);
const CHANGES: ReadonlySet<string> = new Set(["change", "fix", "decision"]);

function investigated({ calls }: ParsedTurn): string | null {
  const read: string[] = [];
  const other: string[] = [];
  for (const { content } of calls) {
    if (!INVESTIGATIONS.has(content.type)) continue;
    const file = /^Read (.{1,200}?)(?: \([^()]{1,40}\))?$/.exec(content.title)?.[1];
    if (file === undefined) other.push(clip(content.title, 100));
    else read.push(file);
  }
  return joinParts([read.length === 0 ? "" : `Read ${formatList(read, 280)}`, ...other], MAX_PART_CHARS);
}

function learned({ sentences, calls }: ParsedTurn): string | null {
  const found = sentences.filter((sentence) => statesFinding(sentence) && !sentence.endsWith("?")).slice(-6);
  const failures = calls
    .filter(({ content }) => content.type === "failure")
    .map(({ content }) => content.title);
  const seen = [...new Set(failures)].slice(-3).map((title) => `Seen: ${title}`);
  return joinParts([...found.map((sentence) => clip(sentence, 260)), ...seen], MAX_PART_CHARS);
}

function completed(parsed: ParsedTurn): string | null {
  const doneSentences = sentencesOf(parsed.answer).filter(statesDone).slice(0, 4);
  const done = changesOf(parsed.calls);
  const tests = parsed.calls.findLast(({ content }) => isKnownTest(content));
  const passed = tests !== undefined && tests.content.type !== "failure" ? [tests.content.title] : [];
  return joinParts(
    [...doneSentences.map((sentence) => clip(sentence, 240)), ...done, ...passed],
    MAX_PART_CHARS,
  );
}

/** Changes by file: the first title of each and the number of further edits; commits last. */
function changesOf(calls: readonly TurnCall[]): string[] {
  const byKey = new Map<string, { title: string; times: number }>();
  const commits: string[] = [];
  for (const { content } of calls) {
    if (!CHANGES.has(content.type)) continue;
    if (content.title.startsWith("Committed")) {
      commits.push(content.title);
      continue;
    }
    const key = content.filesModified[0] ?? content.title;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { title: content.title, times: 1 });
    else known.times++;
  }
  const titles = [...byKey.values()].map(({ title, times }) =>
    times > 1 ? `${title} (${times} changes)` : title,
  );
  return [...titles, ...commits];
}

function nextSteps(parsed: ParsedTurn): string | null {
  const failure = parsed.failed === "" ? [] : [`The turn failed: ${parsed.failed}`];
  return joinParts(
    [...failure, ...unresolved(parsed), ...openSentences(parsed.answer)],
    MAX_PART_CHARS,
    "\n",
  );
}

/** The last failure without a later success: the tests, or the very last call. */
function unresolved({ calls }: ParsedTurn): string[] {
  const tests = calls.findLast(({ content }) => isKnownTest(content));
  const last = calls.at(-1);
  const open = [tests, last].filter((call) => call !== undefined && call.content.type === "failure");
  return [...new Set(open.map((call) => `Unresolved: ${call!.content.title}`))];
}

/** Only a run with a known result can fail or resolve a failure. */
function isKnownTest({ facts }: ItemContent): boolean {
  return facts.some(isKnownTestFact);
}

/** What the answer leaves open: lists under such a heading, sentences that say so, and a final question. */
function openSentences(answer: string): string[] {
  const open: string[] = [];
  const rest: string[] = [];
  let isInOpenList = false;
  for (const line of answer.split("\n", 400)) {
    if (isOpenHeading(oneLine(line.slice(0, 120)))) {
      isInOpenList = true;
      continue;
    }
    const isItem = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/.test(line);
    if (isInOpenList && line.trim() !== "" && !isItem) isInOpenList = false;
    if (isInOpenList && isItem) open.push(clip(plainLine(line), 200));
    else rest.push(line);
  }
  const sentences = sentencesOf(rest.join("\n"));
  for (const sentence of sentences)
    if (statesOpenWork(sentence) && !sentence.endsWith("?")) open.push(clip(withoutNextLabel(sentence), 240));
  const last = sentences.at(-1);
  if (last?.endsWith("?")) open.push(`Asked: ${clip(last, 200)}`);
  return [...new Set(open)].slice(0, 8);
}

function lastIntent({ sentences }: ParsedTurn): string {
  const last = sentences.findLast(statesIntent);
  return last === undefined ? "" : `Said last: ${clip(last, 180)}`;
}

/** Joins as many distinct parts as fit. */
function joinParts(parts: readonly string[], limit: number, separator = " "): string | null {
  let text = "";
  for (const part of new Set(parts.map(asSentence))) {
    if (part === "") continue;
    const next = text === "" ? part : `${text}${separator}${part}`;
    if (next.length <= limit) text = next;
    else if (text === "") return clip(part, limit);
  }
  return text === "" ? null : text;
}

function asSentence(part: string): string {
  const line = oneLine(part);
  return line === "" || /[.!?…。]$/.test(line) ? line : `${line}.`;
}
