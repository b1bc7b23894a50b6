import { randomUUID } from "node:crypto";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { Card, type CardAnswer } from "../control/control-contract.ts";
import { toLent } from "../control/lent-credentials.ts";
import { type Home, resolveHome } from "../home.ts";
import { toolText } from "../monitor/tool-text.ts";
import { askControl, listCards, tellSession } from "./ask-control.ts";
import { askedLines, howToAnswer, toAnswer } from "./asked.ts";
import { age } from "./duration.ts";
import { OUTCOME_WORDS } from "./envelope-lines.ts";
import { toOneOf } from "./memory-args.ts";
import { print, printJson } from "./output.ts";
import { paintFor } from "./paint.ts";
import { oneLine } from "./plain-text.ts";
import { shortId } from "./session-doing.ts";
import { tableLines } from "./table.ts";
import { terminalWidth } from "./terminal-width.ts";

export const answerCommand = defineCommand({
  meta: { name: "answer", description: "What waits for you, and your answer to it" },
  args: {
    id: { type: "positional", required: false, description: "The request; without it, all that wait" },
    answer: {
      type: "positional",
      required: false,
      description: "allow, allow-all, deny, a choice's number or words; again: ask once more what was lost",
    },
    message: { type: "string", description: "With deny: what the agent is told" },
    scope: {
      type: "string",
      description: "With allow-all: exact (just this again) or tool (every call of it)",
    },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const isJson = args.json ?? false;
    const { cards } = await listCards(home);
    if (args.id === undefined) return isJson ? printJson(cards) : print(listText(cards, Date.now()));
    const card = await find(home, cards, args.id);
    if (args.answer === undefined) return isJson ? printJson(card) : print(cardText(card));
    if (args.answer === "again") {
      const session = await again(home, card);
      return isJson ? printJson(session) : print("It is asked again.");
    }
    const scope = toOneOf("scope", args.scope, ["exact", "tool"]);
    const answer = withFlags(card, args.answer, { message: args.message, scope });
    const settled = await askControl(home, Card, `/cards/${encodeURIComponent(card.id)}/answer`, {
      ...answer,
      who: "hookline answer",
      commandId: randomUUID(),
    });
    if (isJson) printJson(settled);
    else print(`${oneLine(settled.toolName)}: ${outcomeOf(settled)}.`);
  },
});

/** By its id, or by the beginning of it when only one waits that has it. */
async function find(home: Home, cards: readonly Card[], id: string): Promise<Card> {
  const meant = cards.filter((card) => card.id === id || card.id.startsWith(id));
  const exact = meant.find((card) => card.id === id) ?? (meant.length === 1 ? meant[0] : undefined);
  if (exact !== undefined) return exact;
  if (meant.length > 1)
    throw new AppError("card_ambiguous", `${id} is the beginning of ${meant.length} requests`);
  return askControl(home, Card, `/cards/${encodeURIComponent(id)}`);
}

function again(home: Home, card: Card): Promise<unknown> {
  if (card.source !== "driven" || card.status !== "lost")
    throw new AppError("usage", "only what a driven session lost can be asked again.");
  return tellSession(home, card.sessionId, `again/${encodeURIComponent(card.id)}`, {
    credentials: toLent(process.env),
    who: "hookline answer",
  });
}

interface Flags {
  readonly message: string | undefined;
  readonly scope: "exact" | "tool" | undefined;
}

function withFlags(card: Card, text: string, { message, scope }: Flags): CardAnswer {
  const typed = toAnswer(card, text);
  if (typed.type === "unclear") throw new AppError("usage", `"${text}" is no answer: ${typed.how}.`);
  const { answer } = typed;
  if (message !== undefined && answer.decision !== "deny")
    throw new AppError("usage", "--message goes with deny.");
  if (scope !== undefined && answer.decision !== "allowAll")
    throw new AppError("usage", "--scope goes with allow-all.");
  return { ...answer, ...(message !== undefined && { message }), ...(scope !== undefined && { scope }) };
}

function outcomeOf({ settled, status }: Card): string {
  const words: Readonly<Record<string, string>> = OUTCOME_WORDS;
  return settled === null ? status : (words[settled.outcome] ?? oneLine(settled.outcome));
}

/** As long as it takes to tell them apart. */
const ID_CHARS = 13;

function shortIds(cards: readonly Card[]): string[] {
  const ids = cards.map(({ id }) => id);
  const isOne = (chars: number): boolean => new Set(ids.map((id) => id.slice(0, chars))).size === ids.length;
  let chars = ID_CHARS;
  while (!isOne(chars)) chars++;
  return ids.map((id) => id.slice(0, chars));
}

/** What is asked, in its own words. */
function askedText({ kind, toolName, input, questions }: Card): string {
  const text = toolText(toolName, kind === "question" ? { questions } : input);
  return oneLine(kind === "permission" ? `${toolName} ${text}` : text || toolName);
}

function listText(cards: readonly Card[], now: number): string {
  if (cards.length === 0) return "Nothing waits for you.";
  const ids = shortIds(cards);
  const rows = cards.map((card, at) => [
    oneLine(ids[at]!),
    card.status === "lost" ? "lost" : card.kind,
    age(card.sinceIso, now),
    shortId(card.sessionId),
    askedText(card),
  ]);
  return [
    ...tableLines([{}, {}, { align: "end" }, {}, { isWide: true }], rows, terminalWidth()),
    "`hookline answer ID` shows one whole, `hookline answer ID y` or `n` answers it.",
  ].join("\n");
}

function cardText(card: Card): string {
  const state =
    card.status === "pending"
      ? `${howToAnswer(card)}.`
      : card.status === "lost"
        ? "It was lost with its session: `again` asks once more."
        : `It is settled: ${outcomeOf(card)}, by ${oneLine(card.settled?.who ?? card.settled?.by ?? "?")}.`;
  return [...askedLines(card, paintFor(process.stdout)), state].join("\n");
}
