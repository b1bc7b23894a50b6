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
  meta: { name: "answer", description: "List requests that wait for you, or answer one" },
  args: {
    id: { type: "positional", required: false, description: "Request id or prefix; omit to list all" },
    answer: {
      type: "positional",
      required: false,
      description:
        "allow, allow-all, deny [reason], or the number or text of a choice; again: repeat a lost request",
    },
    message: { type: "string", description: "With deny: the reason shown to the agent" },
    scope: {
      type: "string",
      description: "With allow-all: exact (this call only) or tool (every call of the tool)",
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
    const detail = requestDetailText(request, Date.now());
    if (words === "")
      return json ? printJson(toRequestJson(request)) : print(`${detail}\n${answerHelpText(request)}`);
    if (words === "again" && !isPendingChoice(request, words)) {
      const session = await askAgain(home, request);
      return json ? printJson(session) : print("Asked again.");
    }
    // The answer's hash covers exactly the parts printed here.
    if (json) note(detail);
    else print(detail);
    const answer = toCheckedAnswer(request, words, { message, scope });
    const settled = await answerCard(home, request.id, request.parts, { ...answer, who: CLIENT_NAME });
    if (json) printJson(settled);
    else print(`${visibleLine(settled.toolName)}: ${outcomeOf(settled)}.`);
  },
});

/** Shorter prefixes are more often answers than ids: `a`, `d`. */
const MIN_ID_PREFIX_CHARS = 4;

/** Finds a request by its id or by an unambiguous prefix of it. */
async function findRequest(
  home: Home,
  requests: readonly WaitingRequest[],
  id: string,
): Promise<WaitingRequest> {
  const matches =
    id.length < MIN_ID_PREFIX_CHARS ? [] : requests.filter((request) => request.id.startsWith(id));
  const exact = matches.filter((request) => request.id === id);
  const [match, ...others] = exact.length > 0 ? exact : matches;
  if (match !== undefined && others.length === 0) return match;
  if (match !== undefined)
    throw new AppError("card_ambiguous", `${id} matches ${others.length + 1} requests; type more of the id`);
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
    throw new AppError("usage", "only lost requests of driven sessions can be asked again.");
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
    const how = hint === null ? "" : ` Go there with \`${hint}\`.`;
    throw new AppError("not_pending", `Answer this in the terminal: ${why}${how}`);
  }
  if (card.status === "lost")
    throw new AppError("not_pending", "It was lost with its session; answer `again` to repeat it.");
  const typed = toAnswer(card, words);
  if (typed.type === "unclear") throw new AppError("usage", `invalid answer "${words}": ${typed.how}.`);
  const { answer } = typed;
  if (isTooLarge(request) && answer.decision !== "deny")
    throw new AppError("too_large", "This request is too large to show, so it can only be denied here.");
  if (message !== undefined && answer.decision !== "deny")
    throw new AppError("usage", "--message works only with deny.");
  if (scope !== undefined && answer.decision !== "allowAll")
    throw new AppError("usage", "--scope works only with allow-all.");
  return { ...answer, ...(message !== undefined && { message }), ...(scope !== undefined && { scope }) };
}

function settledCardText({ settled }: Card): string {
  return `Already settled: ${settledText(settled!)}.`;
}

function outcomeOf({ settled, status }: Card): string {
  return settled === null ? status : outcomeText(settled);
}
