import type { PromptReader } from "../../agents/prompt-reader.ts";
import { withoutSecrets } from "../../privacy/redact.ts";
import type { SearchHit } from "../memory-contract.ts";
import { type CandidateLine, fillBudget, type InjectedContext } from "./fill-budget.ts";
import { dayOf, type LineFormat, MAX_LINE_CHARS, shortenPaths } from "./item-line.ts";
import { keywordsOf } from "./keyword-overlap.ts";
import { toSafeLine } from "./safe-line.ts";

export interface PromptInput extends LineFormat {
  /** As the search returned them, best first. */
  readonly hits: readonly SearchHit[];
  /** Lower scores are chance. */
  readonly threshold: number;
  readonly budgetTokens: number;
  readonly sessionId: string;
  /** Ids injected into the session since its last compaction. */
  readonly injectedIds: ReadonlySet<number>;
  /** The session still knows what it did after this; null: it was never compacted. */
  readonly compactedAtIso: string | null;
}

const MAX_LINES = 5;
/** Next to a good hit, one below this share of its score is noise. */
const MIN_SHARE_OF_BEST = 0.5;
/** Characters of a prompt to search for: embedding 500 takes 20 ms, 1,000 twice that, and the user waits. */
const MAX_QUERY_CHARS = 500;

/** Items relevant to a prompt; null if none. Pure. */
export function chooseForPrompt(input: PromptInput): InjectedContext | null {
  const eligible = input.hits.filter((hit) => mayBeInjected(hit, input));
  const bestScore = Math.max(...eligible.map(({ score }) => score));
  const candidates = eligible
    .filter(({ score }) => score >= input.threshold && score >= bestScore * MIN_SHARE_OF_BEST)
    .sort((a, b) => b.score - a.score)
    .map((hit) => toCandidate(hit, input));
  const heading = "May be relevant to this prompt";
  return fillBudget([{ heading, candidates, maxLines: MAX_LINES, share: 1 }], input.budgetTokens);
}

export type PromptClassifier = Pick<PromptReader, "authorOf">;

/** The search query; null for a prompt not worth one: too short, a command, a machine's, or private. */
export function toSearchQuery(prompt: string, prompts: PromptClassifier): string | null {
  const text = withoutSecrets(prompt).trim();
  if (SLASH_COMMAND.test(text) || prompts.authorOf(text) !== "person") return null;
  const withoutFillers = text.replace(FILLERS, " ");
  const shown = [...keywordsOf(withoutFillers)];
  return shown.some((word) => word.length >= 4 || WIDE.test(word)) || shown.length >= 2
    ? text.slice(0, MAX_QUERY_CHARS).toWellFormed()
    : null;
}

const SLASH_COMMAND = /^\/[a-z][\w:.-]*(?:\s|$)/iu;
const WIDE = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const FILLERS =
  /(?<![\p{L}\p{N}])(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure|continue|proceed|resume|retry|again|go(?: on| ahead)?|keep going|do it|thanks?(?: you)?|please|good|great|nice|perfect|right|correct|stop|wait|hello|hi|hey|네|넵|예|응|어|그래|좋아요?|계속(?:해(?:줘|주세요)?)?|진행(?:해(?:줘|주세요)?)?|고마워요?|감사합니다|다시|아니요?|はい|続けて(?:ください)?|ありがとう|好的?|继续|是的?|谢谢)(?![\p{L}\p{N}])/giu;

/** Excludes other projects, what the session still sees, and bare prompts, which have no outcome. */
function mayBeInjected(
  hit: SearchHit,
  { project, sessionId, injectedIds, compactedAtIso }: PromptInput,
): boolean {
  if (hit.project !== project || hit.kind === "prompt" || injectedIds.has(hit.id)) return false;
  return hit.sessionId !== sessionId || (compactedAtIso !== null && hit.createdAtIso < compactedAtIso);
}

function toCandidate(hit: SearchHit, { project, timeZone }: PromptInput): CandidateLine {
  const title = toSafeLine(hit.title, 120);
  const snippet = toSafeLine(shortenPaths(hit.snippet, project), MAX_LINE_CHARS);
  const isRedundant = snippet === "" || title.includes(snippet.replace(/…$/, ""));
  const shown = [shortenPaths(title, project), ...(isRedundant ? [] : [snippet])].join(" · ");
  const text = `${dayOf(hit.createdAtIso, timeZone)} ${hit.type}: ${shown}`;
  return { text, item: { id: hit.id, title, why: whyOf(hit) } };
}

function whyOf({ score, why }: SearchHit): string {
  const matches = [
    ...(why.fullText === null ? [] : ["words of the prompt"]),
    ...(why.vector === null ? [] : ["its meaning"]),
    ...(why.sameFile ? ["a file in use"] : []),
    ...(why.pinned ? ["pinned"] : []),
  ];
  return `found by ${matches.join(", ") || "search"} (score ${score.toFixed(2)})`;
}
