import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { pickCredentials } from "../control/caller-credentials.ts";
import { Card, type CardAnswer } from "../control/control-contract.ts";
import { type Home, resolveHome } from "../home.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { readAnswerArgs } from "./answer-args.ts";
import { answerHelpText, requestDetailText, toRequestJson, waitingListText } from "./answer-text.ts";
import { answerCard, askControl, sendSessionCommand } from "./control-client.ts";
import { outcomeText, settledText } from "./envelope-lines.ts";
import { note, print, printJson } from "./output.ts";
import { readWaits } from "./read-requests.ts";
import { jumpHint, terminalOnlyReason } from "./request-text.ts";
import { isChoice, toAnswer } from "./typed-answer.ts";
import { fromCard, isTooLarge, type WaitingRequest } from "./waiting-requests.ts";

const CLIENT_NAME = "hookline answer";

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
    if (id === null)
      return json ? printJson(waits.requests.map(toRequestJson)) : print(waitingListText(waits, Date.now()));
    const request = await findRequest(home, waits.requests, id);
    if (request.card?.status === "settled") return answerSettled(home, request.card, { words, json });
    const whole = requestDetailText(request, Date.now());
    if (words === "")
      return json ? printJson(toRequestJson(request)) : print(`${whole}\n${answerHelpText(request)}`);
    if (words === "again" && !isPendingChoice(request, words)) {
      const session = await askAgain(home, request);
      return json ? printJson(session) : print("It is asked again.");
    }
    // The answer's hash covers exactly the parts printed here.
    if (json) note(whole);
    else print(whole);
    const answer = toCheckedAnswer(request, words, { message, scope });
    const settled = await answerCard(home, request.id, request.parts, { ...answer, who: CLIENT_NAME });
    if (json) printJson(settled);
    else print(`${visibleLine(settled.toolName)}: ${outcomeOf(settled)}.`);
  },
});

/** Shorter prefixes are more often answers than ids: `a`, `d`. */
const MIN_ID_PREFIX = 4;

/** Finds a request by its id or by an unambiguous prefix of it. */
async function findRequest(
  home: Home,
  requests: readonly WaitingRequest[],
  id: string,
): Promise<WaitingRequest> {
  const meant = id.length < MIN_ID_PREFIX ? [] : requests.filter((request) => request.id.startsWith(id));
  const exact = meant.filter((request) => request.id === id);
  const [one, ...others] = exact.length > 0 ? exact : meant;
  if (one !== undefined && others.length === 0) return one;
  if (one !== undefined)
    throw new AppError("card_ambiguous", `${id} is the beginning of ${others.length + 1} requests`);
  return fromCard(await askControl(home, Card, `/cards/${encodeURIComponent(id)}`), null);
}

/** Reports how it was settled; for a late answer, the daemon says why it is too late. */
async function answerSettled(
  home: Home,
  card: Card,
  { words, json }: { readonly words: string; readonly json: boolean },
): Promise<void> {
  if (words === "") return json ? printJson(card) : print(settledCardText(card));
  const typed = toAnswer(card, words);
  if (typed.type === "unclear") throw new AppError("not_pending", settledCardText(card));
  await answerCard(home, card.id, [], typed.answer);
}

function isPendingChoice({ card }: WaitingRequest, words: string): boolean {
  return card?.status === "pending" && isChoice(card, words);
}

function askAgain(home: Home, { card }: WaitingRequest): Promise<unknown> {
  if (card === null || card.source !== "driven" || card.status !== "lost")
    throw new AppError("usage", "only what a driven session lost can be asked again.");
  return sendSessionCommand(home, card.sessionId, `again/${encodeURIComponent(card.id)}`, {
    credentials: pickCredentials(process.env),
    who: CLIENT_NAME,
  });
}

interface Flags {
  readonly message: string | undefined;
  readonly scope: "exact" | "tool" | undefined;
}

function toCheckedAnswer(request: WaitingRequest, words: string, { message, scope }: Flags): CardAnswer {
  const { card } = request;
  const why = terminalOnlyReason(request);
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

function settledCardText({ settled }: Card): string {
  return `Already settled: ${settledText(settled!)}.`;
}

function outcomeOf({ settled, status }: Card): string {
  return settled === null ? status : outcomeText(settled);
}
