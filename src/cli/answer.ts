import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { Card, type CardAnswer } from "../control/control-contract.ts";
import { toLent } from "../control/lent-credentials.ts";
import { type Home, resolveHome } from "../home.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { readAnswerArgs } from "./answer-args.ts";
import { howText, listText, requestText, toJson } from "./answer-text.ts";
import { answerCard, askControl, tellSession } from "./ask-control.ts";
import { isChoice, toAnswer } from "./asked.ts";
import { outcomeText } from "./envelope-lines.ts";
import { note, print, printJson } from "./output.ts";
import { readWaits } from "./read-requests.ts";
import { jumpHint, whyTerminal } from "./request-text.ts";
import { fromCard, isTooLarge, type WaitingRequest } from "./waiting-requests.ts";

const WHO = "hookline answer";

export const answerCommand = defineCommand({
  meta: { name: "answer", description: "What waits for you, and your answer to it" },
  args: {
    id: { type: "positional", required: false, description: "The request; without it, all that wait" },
    answer: {
      type: "positional",
      required: false,
      description:
        "allow, allow-all, deny [why], a choice's number or words; again: ask once more what was lost",
    },
    message: { type: "string", description: "With deny: what the agent is told" },
    scope: {
      type: "string",
      description: "With allow-all: exact (just this again) or tool (every call of it)",
    },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ rawArgs }) => {
    const home = resolveHome();
    const { id, words, message, scope, json } = readAnswerArgs(rawArgs);
    const waits = await readWaits(home);
    if (id === null) return json ? printJson(waits.requests.map(toJson)) : print(listText(waits, Date.now()));
    const request = await find(home, waits.requests, id);
    if (request.card?.status === "settled") return answerSettled(home, request.card, { words, json });
    const whole = requestText(request, Date.now());
    if (words === "") return json ? printJson(toJson(request)) : print(`${whole}\n${howText(request)}`);
    if (words === "again" && !isPendingChoice(request, words)) {
      const session = await again(home, request);
      return json ? printJson(session) : print("It is asked again.");
    }
    // What is printed is what is answered: the hash is of these very parts.
    if (json) note(whole);
    else print(whole);
    const answer = toGiven(request, words, { message, scope });
    const settled = await answerCard(home, request.id, request.parts, { ...answer, who: WHO });
    if (json) printJson(settled);
    else print(`${visibleLine(settled.toolName)}: ${outcomeOf(settled)}.`);
  },
});

/** Shorter beginnings are answers more often than ids: `a`, `d`. */
const MIN_START = 4;

/** By its id, or by the beginning of it when only one request has it. */
async function find(home: Home, requests: readonly WaitingRequest[], id: string): Promise<WaitingRequest> {
  const meant = id.length < MIN_START ? [] : requests.filter((request) => request.id.startsWith(id));
  const exact = meant.filter((request) => request.id === id);
  const [one, ...others] = exact.length > 0 ? exact : meant;
  if (one !== undefined && others.length === 0) return one;
  if (one !== undefined)
    throw new AppError("card_ambiguous", `${id} is the beginning of ${others.length + 1} requests`);
  return fromCard(await askControl(home, Card, `/cards/${encodeURIComponent(id)}`), null);
}

/** Says how it was settled; to another answer the daemon says why it comes too late. */
async function answerSettled(
  home: Home,
  card: Card,
  { words, json }: { readonly words: string; readonly json: boolean },
): Promise<void> {
  if (words === "") return json ? printJson(card) : print(settledText(card));
  const typed = toAnswer(card, words);
  if (typed.type === "unclear") throw new AppError("not_pending", settledText(card));
  await answerCard(home, card.id, [], typed.answer);
}

function isPendingChoice({ card }: WaitingRequest, words: string): boolean {
  return card?.status === "pending" && isChoice(card, words);
}

function again(home: Home, { card }: WaitingRequest): Promise<unknown> {
  if (card === null || card.source !== "driven" || card.status !== "lost")
    throw new AppError("usage", "only what a driven session lost can be asked again.");
  return tellSession(home, card.sessionId, `again/${encodeURIComponent(card.id)}`, {
    credentials: toLent(process.env),
    who: WHO,
  });
}

interface Flags {
  readonly message: string | undefined;
  readonly scope: "exact" | "tool" | undefined;
}

function toGiven(request: WaitingRequest, words: string, { message, scope }: Flags): CardAnswer {
  const { card } = request;
  const why = whyTerminal(request);
  if (card === null || why !== null) {
    const hint = jumpHint(request.session);
    const how = hint === null ? "" : ` \`${hint}\` goes there.`;
    throw new AppError("not_pending", `Answer this in the terminal: ${why}${how}`);
  }
  if (card.status === "lost")
    throw new AppError("not_pending", "It was lost with its session: `again` asks once more.");
  const typed = toAnswer(card, words);
  if (typed.type === "unclear") throw new AppError("usage", `"${words}" is no answer: ${typed.how}.`);
  const { answer } = typed;
  if (isTooLarge(request) && answer.decision !== "deny")
    throw new AppError("too_large", "It is too large to show here, so it can only be denied here.");
  if (message !== undefined && answer.decision !== "deny")
    throw new AppError("usage", "--message goes with deny.");
  if (scope !== undefined && answer.decision !== "allowAll")
    throw new AppError("usage", "--scope goes with allow-all.");
  return { ...answer, ...(message !== undefined && { message }), ...(scope !== undefined && { scope }) };
}

function settledText(card: Card): string {
  const { who, by } = card.settled!;
  return `It is settled: ${outcomeOf(card)}, by ${visibleLine(who ?? by)}.`;
}

function outcomeOf({ settled, status }: Card): string {
  return settled === null ? status : outcomeText(settled.outcome);
}
