import { type RawQuestion, rawQuestionsOf } from "../agents/questions.ts";
import { DRIVEN_QUESTION_TOOL } from "../agents/tool-call.ts";
import type { Card, CardAnswer } from "../control/control-contract.ts";
import { requestIdOf } from "../control/request-id.ts";
import { ANSWER_KEYS } from "../shown/answer-keys.ts";
import { visibleLine } from "../shown/visible-text.ts";
import type { AttachMessage } from "./follow-session.ts";
import { isBlank, matchChoice, matchLabel, noLabelText, shortestInputFor } from "./match-choice.ts";

/** The parts of a card that a typed answer is checked against. */
export type RequestContent = Pick<Card, "kind" | "toolName" | "input" | "questions">;

/** A request of a driven session; its content is read from its card. */
export type PendingRequest = Pick<Card, "id" | "toolName" | "status">;

/** A typed answer, or what could be typed instead. */
export type TypedAnswer =
  | { readonly type: "answer"; readonly answer: CardAnswer }
  | { readonly type: "unclear"; readonly how: string };

/** The pending requests after a message. Pure. A snapshot is complete; envelopes before it change nothing. */
export function applyToPending(
  asked: readonly PendingRequest[],
  message: AttachMessage,
): readonly PendingRequest[] {
  if (message.type === "snapshot") return message.session.pending;
  if (message.type === "down" || message.isReplay) return asked;
  const { envelope } = message;
  switch (envelope.type) {
    case "permission.request":
    case "question.request": {
      const toolName = envelope.type === "question.request" ? DRIVEN_QUESTION_TOOL : envelope.tool;
      const requestId = requestIdOf(envelope);
      return [...asked.filter(({ id }) => id !== requestId), { id: requestId, toolName, status: "pending" }];
    }
    case "permission.resolved":
    case "question.resolved":
      return asked.filter(({ id }) => id !== requestIdOf(envelope));
    case "state":
      return envelope.state === "closed" ? [] : asked;
    default:
      return asked;
  }
}

export function howToAnswer({ kind, toolName, questions }: RequestContent): string {
  if (kind === "plan") return "y approve, a approve and accept edits, d [reason] keep planning";
  if (kind === "permission")
    return `y allow once, a allow this call for the session, A allow all ${visibleLine(toolName)}, d [reason] deny`;
  const several = rawQuestionsOf({ questions }).some(({ multiSelect }) => multiSelect);
  const choose = `a number${several ? ", or several with commas" : ""}, or your own words; d decline, n [reason] decline with a reason`;
  return questions.length > 1 ? `${choose}; separate the ${questions.length} answers with ;` : choose;
}

/** Which number selects which option, one line per question. */
export function choiceLines(asked: RequestContent): string[] {
  const questions = asked.kind === "question" ? readQuestions(asked) : [];
  return questions.flatMap(({ question, options }) => {
    const choices = options.map(({ label }, at) => `${at + 1}. ${choiceText(label)}`);
    const of = questions.length > 1 ? [quotedUnlessPlain(question)] : [];
    return options.length === 0 ? [] : [[...of, ...choices].join("  ")];
  });
}

function choiceText(label: string | null): string {
  return label === null || isBlank(label) ? "(no label)" : quotedUnlessPlain(label);
}

/** Agent text in one of our lines: anything but a plain phrase could pass for further options. */
function quotedUnlessPlain(text: string): string {
  const line = visibleLine(text);
  const isPlain = PLAIN.test(line) && !/ {2}|\d[^\p{L}\d ]/u.test(line);
  return isPlain ? line : `"${line.replaceAll('"', "\\u0022")}"`;
}

const PLAIN = /^[\p{L}\p{M}\d ,()'/&+:-]+\??$/u;

export function toAnswer(asked: RequestContent, line: string): TypedAnswer {
  const text = line.trim();
  const unclear: TypedAnswer = { type: "unclear", how: howToAnswer(asked) };
  if (asked.kind === "question") return text === "" ? unclear : toQuestionAnswer(asked, text);
  const no = /^(?:d|n|no|deny)(?:[\s:]+(.+))?$/is.exec(text);
  if (no !== null) return toDenial(no[1]);
  if (/^(?:y|yes|allow)$/i.test(text)) return { type: "answer", answer: { decision: "allow" } };
  const all = /^(?:a|all|allow-all)(?:\s+(exact|tool))?$/i.exec(text);
  if (all === null) return unclear;
  if (asked.kind === "plan" && text === ANSWER_KEYS.allowTool) return unclear;
  if (asked.kind === "plan") return { type: "answer", answer: { decision: "allow", mode: "acceptEdits" } };
  const isTool = text === ANSWER_KEYS.allowTool || all[1]?.toLowerCase() === "tool";
  const scope = isTool ? "tool" : "exact";
  return { type: "answer", answer: { decision: "allowAll", scope } };
}

/** A number key selects the option at that position, whatever its label; only typed text can be ambiguous. */
export function pickOption(
  asked: RequestContent,
  place: number,
): TypedAnswer | { readonly type: "begun"; readonly text: string } {
  const questions = readQuestions(asked);
  const [first] = questions;
  if (first === undefined || first.options.length === 0) return { type: "begun", text: `${place}` };
  const option = first.options[place - 1];
  if (option === undefined) return { type: "unclear", how: choicesText(first) };
  if (isBlank(option.label ?? "")) return { type: "unclear", how: noLabelText(place) };
  if (questions.length > 1 || first.multiSelect)
    return { type: "begun", text: shortestInputFor(first, place) };
  return { type: "answer", answer: { answers: { [first.question]: option.label! } } };
}

function toDenial(why: string | undefined): TypedAnswer {
  const message = why?.trim();
  return { type: "answer", answer: { decision: "deny", ...(message !== undefined && { message }) } };
}

/** Whether the words select an option of a question, and so are not a command. */
export function isChoice(asked: RequestContent, line: string): boolean {
  return asked.kind === "question" && matchLabel(optionLabels(asked), line.trim()).type !== "none";
}

/** Answers a question: an option takes precedence over any command word. */
function toQuestionAnswer(asked: RequestContent, text: string): TypedAnswer {
  const parts = [text, ...text.split(";", 1), ...text.split(/[;,]/, 1)];
  if (parts.some((part) => isChoice(asked, part))) return toChoices(asked, text);
  if (text.toLowerCase() === ANSWER_KEYS.deny) return toDenial(undefined);
  const [no, word, why] = /^(n|no|deny)(?:[\s:]+(.+))?$/is.exec(text) ?? [];
  if (no === undefined) return toChoices(asked, text);
  const begun = optionLabels(asked).find((label) => firstWord(label) === word!.toLowerCase());
  if (begun === undefined) return toDenial(why);
  const how = `"${visibleLine(word!)}" is the start of "${visibleLine(begun)}": type all of it or its number, or ${ANSWER_KEYS.deny} to decline`;
  return { type: "unclear", how };
}

function firstWord(label: string): string | undefined {
  return /[\p{L}\p{N}]+/u.exec(label)?.[0].toLowerCase();
}

function optionLabels(asked: RequestContent): string[] {
  return readQuestions(asked).flatMap(({ options }) => options.map(({ label }) => label ?? ""));
}

function toChoices(of: RequestContent, text: string): TypedAnswer {
  const asked = readQuestions(of);
  if (asked.length === 0) return { type: "answer", answer: { response: text } };
  const parts = asked.length === 1 ? [text] : text.split(";").map((part) => part.trim());
  if (parts.length !== asked.length)
    return { type: "unclear", how: `there are ${asked.length} questions: separate the answers with ;` };
  const answers = new Map<string, string>();
  for (const [at, one] of asked.entries()) {
    const choice = toChoice(one, parts[at]!);
    if (typeof choice !== "string") return choice;
    if ((answers.get(one.question) ?? choice) !== choice)
      return {
        type: "unclear",
        how: `"${visibleLine(one.question)}" is asked twice and can have only one answer`,
      };
    answers.set(one.question, choice);
  }
  return { type: "answer", answer: { answers: Object.fromEntries(answers) } };
}

function readQuestions({ input, questions }: RequestContent): RawQuestion[] {
  const known = rawQuestionsOf({ questions });
  return known.length > 0 ? known : rawQuestionsOf(input);
}

/** Numbers and labels become labels; other words are a custom answer. */
function toChoice(
  question: RawQuestion,
  text: string,
): string | (TypedAnswer & { readonly type: "unclear" }) {
  const how = choicesText(question);
  if (text === "") return { type: "unclear", how };
  const whole = matchChoice(question, text);
  if (whole.type !== "none") return whole.type === "label" ? whole.label : whole;
  const words = text.split(",").map((word) => word.trim());
  const chosen = words.map((word) => matchChoice(question, word));
  if (chosen.some(({ type }, at) => type === "none" && !/^\d+\.?$/.test(words[at]!))) return text;
  const labels: string[] = [];
  for (const one of chosen) {
    if (one.type === "unclear") return one;
    if (one.type === "none") return { type: "unclear", how };
    labels.push(one.label);
  }
  if (labels.length > 1 && !question.multiSelect) return { type: "unclear", how };
  return [...new Set(labels)].join(", ");
}

function choicesText({ question, options, multiSelect }: RawQuestion): string {
  const several = multiSelect ? ", several with commas" : "";
  return `"${visibleLine(question)}" has choices 1 to ${options.length}${several}`;
}
