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
  pending: readonly PendingRequest[],
  message: AttachMessage,
): readonly PendingRequest[] {
  if (message.type === "snapshot") return message.session.pending;
  if (message.type === "down" || message.isReplay) return pending;
  const { envelope } = message;
  switch (envelope.type) {
    case "permission.request":
    case "question.request": {
      const toolName = envelope.type === "question.request" ? DRIVEN_QUESTION_TOOL : envelope.tool;
      const requestId = requestIdOf(envelope);
      return [
        ...pending.filter(({ id }) => id !== requestId),
        { id: requestId, toolName, status: "pending" },
      ];
    }
    case "permission.resolved":
    case "question.resolved":
      return pending.filter(({ id }) => id !== requestIdOf(envelope));
    case "state":
      return envelope.state === "closed" ? [] : pending;
    default:
      return pending;
  }
}

export function howToAnswer({ kind, toolName, questions }: RequestContent): string {
  if (kind === "plan") return "y approve, a approve and accept edits, d [reason] keep planning";
  if (kind === "permission")
    return `y allow once, a allow this call for the session, A allow all ${visibleLine(toolName)}, d [reason] deny`;
  const severalText = rawQuestionsOf({ questions }).some(({ multiSelect }) => multiSelect);
  const choose = `a number${severalText ? ", or several with commas" : ""}, or your own words; d decline, n [reason] decline with a reason`;
  return questions.length > 1 ? `${choose}; separate the ${questions.length} answers with ;` : choose;
}

/** Which number selects which option, one line per question. */
export function choiceLines(request: RequestContent): string[] {
  const questions = request.kind === "question" ? readQuestions(request) : [];
  return questions.flatMap(({ question, options }) => {
    const choices = options.map(({ label }, index) => `${index + 1}. ${choiceText(label)}`);
    const prefix = questions.length > 1 ? [quotedUnlessPlain(question)] : [];
    return options.length === 0 ? [] : [[...prefix, ...choices].join("  ")];
  });
}

function choiceText(label: string | null): string {
  return label === null || isBlank(label) ? "(no label)" : quotedUnlessPlain(label);
}

/** Agent text in one of our lines: anything but a plain phrase could pass for further options. */
function quotedUnlessPlain(text: string): string {
  const line = visibleLine(text);
  const isPlain = PLAIN_PHRASE.test(line) && !/ {2}|\d[^\p{L}\d ]/u.test(line);
  return isPlain ? line : `"${line.replaceAll('"', "\\u0022")}"`;
}

const PLAIN_PHRASE = /^[\p{L}\p{M}\d ,()'/&+:-]+\??$/u;

export function toAnswer(request: RequestContent, line: string): TypedAnswer {
  const text = line.trim();
  const unclear: TypedAnswer = { type: "unclear", how: howToAnswer(request) };
  if (request.kind === "question") return text === "" ? unclear : toQuestionAnswer(request, text);
  const denial = /^(?:d|n|no|deny)(?:[\s:]+(.+))?$/is.exec(text);
  if (denial !== null) return toDenial(denial[1]);
  if (/^(?:y|yes|allow)$/i.test(text)) return { type: "answer", answer: { decision: "allow" } };
  const allowAll = /^(?:a|all|allow-all)(?:\s+(exact|tool))?$/i.exec(text);
  if (allowAll === null) return unclear;
  if (request.kind === "plan" && text === ANSWER_KEYS.allowTool) return unclear;
  if (request.kind === "plan") return { type: "answer", answer: { decision: "allow", mode: "acceptEdits" } };
  const isTool = text === ANSWER_KEYS.allowTool || allowAll[1]?.toLowerCase() === "tool";
  const scope = isTool ? "tool" : "exact";
  return { type: "answer", answer: { decision: "allowAll", scope } };
}

/** A number key selects the option at that position, whatever its label; only typed text can be ambiguous. */
export function pickOption(
  request: RequestContent,
  position: number,
): TypedAnswer | { readonly type: "partial"; readonly text: string } {
  const questions = readQuestions(request);
  const [first] = questions;
  if (first === undefined || first.options.length === 0) return { type: "partial", text: `${position}` };
  const option = first.options[position - 1];
  if (option === undefined) return { type: "unclear", how: choicesText(first) };
  if (isBlank(option.label ?? "")) return { type: "unclear", how: noLabelText(position) };
  if (questions.length > 1 || first.multiSelect)
    return { type: "partial", text: shortestInputFor(first, position) };
  return { type: "answer", answer: { answers: { [first.question]: option.label! } } };
}

function toDenial(why: string | undefined): TypedAnswer {
  const message = why?.trim();
  return { type: "answer", answer: { decision: "deny", ...(message !== undefined && { message }) } };
}

/** Whether the words select an option of a question, and so are not a command. */
export function isChoice(request: RequestContent, line: string): boolean {
  return request.kind === "question" && matchLabel(optionLabels(request), line.trim()).type !== "none";
}

/** Answers a question: an option takes precedence over any command word. */
function toQuestionAnswer(request: RequestContent, text: string): TypedAnswer {
  const parts = [text, ...text.split(";", 1), ...text.split(/[;,]/, 1)];
  if (parts.some((part) => isChoice(request, part))) return toChoices(request, text);
  if (text.toLowerCase() === ANSWER_KEYS.deny) return toDenial(undefined);
  const [denial, word, why] = /^(n|no|deny)(?:[\s:]+(.+))?$/is.exec(text) ?? [];
  if (denial === undefined) return toChoices(request, text);
  const optionLabel = optionLabels(request).find((label) => firstWord(label) === word!.toLowerCase());
  if (optionLabel === undefined) return toDenial(why);
  const how = `"${visibleLine(word!)}" is the start of "${visibleLine(optionLabel)}": type all of it or its number, or ${ANSWER_KEYS.deny} to decline`;
  return { type: "unclear", how };
}

function firstWord(label: string): string | undefined {
  return /[\p{L}\p{N}]+/u.exec(label)?.[0].toLowerCase();
}

function optionLabels(request: RequestContent): string[] {
  return readQuestions(request).flatMap(({ options }) => options.map(({ label }) => label ?? ""));
}

function toChoices(request: RequestContent, text: string): TypedAnswer {
  const questions = readQuestions(request);
  if (questions.length === 0) return { type: "answer", answer: { response: text } };
  const parts = questions.length === 1 ? [text] : text.split(";").map((part) => part.trim());
  if (parts.length !== questions.length)
    return { type: "unclear", how: `there are ${questions.length} questions: separate the answers with ;` };
  const answers = new Map<string, string>();
  for (const [index, question] of questions.entries()) {
    const choice = toChoice(question, parts[index]!);
    if (typeof choice !== "string") return choice;
    if ((answers.get(question.question) ?? choice) !== choice)
      return {
        type: "unclear",
        how: `"${visibleLine(question.question)}" is asked twice and can have only one answer`,
      };
    answers.set(question.question, choice);
  }
  return { type: "answer", answer: { answers: Object.fromEntries(answers) } };
}

function readQuestions({ input, questions }: RequestContent): RawQuestion[] {
  const parsed = rawQuestionsOf({ questions });
  return parsed.length > 0 ? parsed : rawQuestionsOf(input);
}

/** Numbers and labels become labels; other words are a custom answer. */
function toChoice(
  question: RawQuestion,
  text: string,
): string | (TypedAnswer & { readonly type: "unclear" }) {
  const how = choicesText(question);
  if (text === "") return { type: "unclear", how };
  const fullMatch = matchChoice(question, text);
  if (fullMatch.type !== "none") return fullMatch.type === "label" ? fullMatch.label : fullMatch;
  const words = text.split(",").map((word) => word.trim());
  const matches = words.map((word) => matchChoice(question, word));
  if (matches.some(({ type }, index) => type === "none" && !/^\d+\.?$/.test(words[index]!))) return text;
  const labels: string[] = [];
  for (const match of matches) {
    if (match.type === "unclear") return match;
    if (match.type === "none") return { type: "unclear", how };
    labels.push(match.label);
  }
  if (labels.length > 1 && !question.multiSelect) return { type: "unclear", how };
  return [...new Set(labels)].join(", ");
}

function choicesText({ question, options, multiSelect }: RawQuestion): string {
  const severalText = multiSelect ? ", several with commas" : "";
  return `"${visibleLine(question)}" has choices 1 to ${options.length}${severalText}`;
}
