import type { PromptReader } from "../../agents/prompt-reader.ts";
import { withoutSecrets } from "../../privacy/redact.ts";
import type { SearchHit } from "../memory-contract.ts";
import { type Candidate, fillBudget, type Given } from "./fill-budget.ts";
import { dayOf, LINE_CHARACTERS, shortPaths, type Telling } from "./item-line.ts";
import { toSafeLine } from "./safe-line.ts";
import { tellingWords } from "./same-words.ts";

export interface PromptInput extends Telling {
  /** As the search gave them, the best first. */
  readonly hits: readonly SearchHit[];
  /** A score below this is chance. */
  readonly threshold: number;
  readonly budgetTokens: number;
  readonly sessionId: string;
  /** Ids that the session was given since its last compaction. */
  readonly given: ReadonlySet<number>;
  /** What the session itself did after this it still knows; null: it was never compacted. */
  readonly compactedAtIso: string | null;
}

const MOST = 5;
/** Beside a hit that is right, one with less than this part of its score is noise. */
const BESIDE_THE_BEST = 0.5;
/** Of a prompt so much is searched for: a vector of 500 characters takes 20 ms, of 1,000 twice that, and the person waits. */
const QUERY_CHARACTERS = 500;

/** What is relevant to a prompt; null when nothing is. Pure. */
export function chooseForPrompt(input: PromptInput): Given | null {
  const able = input.hits.filter((hit) => mayBeGiven(hit, input));
  const best = Math.max(...able.map(({ score }) => score));
  const candidates = able
    .filter(({ score }) => score >= input.threshold && score >= best * BESIDE_THE_BEST)
    .sort((a, b) => b.score - a.score)
    .map((hit) => toCandidate(hit, input));
  const heading = "Perhaps of use for this prompt";
  return fillBudget([{ heading, candidates, most: MOST, share: 1 }], input.budgetTokens);
}

export type PromptKinds = Pick<PromptReader, "writerOf">;

/** What to search for, or null for a prompt that asks for nothing: too short, a command, a machine's, or private. */
export function queryOf(prompt: string, prompts: PromptKinds): string | null {
  const text = withoutSecrets(prompt).trim();
  if (SLASH_COMMAND.test(text) || prompts.writerOf(text) !== "person") return null;
  const rest = text.replace(FILLERS, " ");
  const words = [...tellingWords(rest)];
  return words.some((word) => word.length >= 4 || WIDE.test(word)) || words.length >= 2
    ? text.slice(0, QUERY_CHARACTERS).toWellFormed()
    : null;
}

const SLASH_COMMAND = /^\/[a-z][\w:.-]*(?:\s|$)/iu;
const WIDE = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const FILLERS =
  /(?<![\p{L}\p{N}])(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure|continue|proceed|resume|retry|again|go(?: on| ahead)?|keep going|do it|thanks?(?: you)?|please|good|great|nice|perfect|right|correct|stop|wait|hello|hi|hey|네|넵|예|응|어|그래|좋아요?|계속(?:해(?:줘|주세요)?)?|진행(?:해(?:줘|주세요)?)?|고마워요?|감사합니다|다시|아니요?|はい|続けて(?:ください)?|ありがとう|好的?|继续|是的?|谢谢)(?![\p{L}\p{N}])/giu;

/** Nothing of another project, nothing that the session has in view, and no bare prompts: they tell no outcome. */
function mayBeGiven(hit: SearchHit, { project, sessionId, given, compactedAtIso }: PromptInput): boolean {
  if (hit.project !== project || hit.kind === "prompt" || given.has(hit.id)) return false;
  return hit.sessionId !== sessionId || (compactedAtIso !== null && hit.createdAtIso < compactedAtIso);
}

function toCandidate(hit: SearchHit, { project, timeZone }: PromptInput): Candidate {
  const title = toSafeLine(hit.title, 120);
  const snippet = toSafeLine(shortPaths(hit.snippet, project), LINE_CHARACTERS);
  const isTold = snippet === "" || title.includes(snippet.replace(/…$/, ""));
  const words = [shortPaths(title, project), ...(isTold ? [] : [snippet])].join(" · ");
  const text = `${dayOf(hit.createdAtIso, timeZone)} ${hit.type}: ${words}`;
  return { text, item: { id: hit.id, title, why: whyOf(hit) } };
}

function whyOf({ score, why }: SearchHit): string {
  const ways = [
    ...(why.fullText === null ? [] : ["words of the prompt"]),
    ...(why.vector === null ? [] : ["its meaning"]),
    ...(why.sameFile ? ["a file in work"] : []),
    ...(why.pinned ? ["pinned"] : []),
  ];
  return `found by ${ways.join(", ") || "search"} (score ${score.toFixed(2)})`;
}
