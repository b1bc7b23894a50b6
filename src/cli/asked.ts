import type { Card, CardAnswer } from "../control/control-contract.ts";
import { questionsOf, toolText } from "../monitor/tool-text.ts";
import type { AttachMessage } from "./follow-session.ts";
import { noPaint, type Paint } from "./paint.ts";
import { oneLine, plainLines } from "./plain-text.ts";

/** What a person is asked, of a card or of an envelope. */
export type Asked = Pick<
  Card,
  "id" | "kind" | "toolName" | "input" | "questions" | "plan" | "reason" | "agentType" | "status"
>;

/** A typed answer, or what could be typed instead. */
export type Typed =
  | { readonly type: "answer"; readonly answer: CardAnswer }
  | { readonly type: "unclear"; readonly how: string };

const MOST_LINES = 40;

/** What waits after a message. Pure. A snapshot knows all; envelopes before it are news to nobody. */
export function applyAsked(asked: readonly Asked[], message: AttachMessage): readonly Asked[] {
  if (message.type === "snapshot") return message.session.pending;
  if (message.type === "down" || message.isReplay) return asked;
  const { envelope } = message;
  switch (envelope.type) {
    case "permission.request": {
      const { toolUseId, tool, input, reason, agentType } = envelope;
      const kind = tool === "ExitPlanMode" ? "plan" : "permission";
      const plan = kind === "plan" ? toolText(tool, input) : null;
      return [
        ...asked.filter(({ id }) => id !== toolUseId),
        {
          id: toolUseId,
          kind,
          toolName: tool,
          input,
          questions: [],
          plan,
          reason,
          agentType,
          status: "pending",
        },
      ];
    }
    case "question.request": {
      const { toolUseId, questions } = envelope;
      const empty = { input: { questions }, plan: null, reason: null, agentType: null };
      return [
        ...asked.filter(({ id }) => id !== toolUseId),
        {
          id: toolUseId,
          kind: "question",
          toolName: "AskUserQuestion",
          questions,
          status: "pending",
          ...empty,
        },
      ];
    }
    case "permission.resolved":
    case "question.resolved":
      return asked.filter(({ id }) => id !== envelope.toolUseId);
    case "state":
      return envelope.state === "closed" ? [] : asked;
    default:
      return asked;
  }
}

/** What is asked, whole: who allows must see what it is. */
export function askedLines(asked: Asked, paint: Paint = noPaint, most = MOST_LINES): string[] {
  const who = asked.agentType === null ? "" : ` (${oneLine(asked.agentType)})`;
  // A plan is for a person by its nature.
  const isTold = asked.kind !== "plan" && (asked.reason ?? "") !== "";
  const reason = isTold ? [paint("dim", `  ${oneLine(asked.reason!)}`)] : [];
  if (asked.kind === "question") return questionLines(asked, paint);
  const text = asked.kind === "plan" ? asked.plan || "(it wrote none down)" : inputText(asked);
  const head = asked.kind === "plan" ? `The plan${who}:` : `${oneLine(asked.toolName)}${who} asks:`;
  return [
    paint("yellow", head),
    ...cut(
      plainLines(text).map((line) => `  ${line}`),
      most,
    ),
    ...reason,
  ];
}

/** What can be typed. */
export function howToAnswer({ kind, toolName, questions }: Asked): string {
  if (kind === "plan")
    return "y carries it out, a carries it out and accepts edits, n [why] goes on planning";
  if (kind === "permission")
    return `y allows, a also this again, a tool every ${oneLine(toolName)}, n [why] denies`;
  const several = questionsOf({ questions }).some(({ multiSelect }) => multiSelect);
  const choose = `a number${several ? ", several with commas" : ""}, or your own words; n [why] declines`;
  return questions.length > 1 ? `${choose}; the ${questions.length} answers with ; between` : choose;
}

export function toAnswer(asked: Asked, line: string): Typed {
  const text = line.trim();
  const unclear: Typed = { type: "unclear", how: howToAnswer(asked) };
  const no = /^(?:n|no|deny)(?:[\s:]+(.+))?$/is.exec(text);
  if (no !== null) {
    const message = no[1]?.trim();
    return { type: "answer", answer: { decision: "deny", ...(message !== undefined && { message }) } };
  }
  if (asked.kind === "question") return text === "" ? unclear : toChoices(asked, text);
  if (/^(?:y|yes|allow)$/i.test(text)) return { type: "answer", answer: { decision: "allow" } };
  const all = /^(?:a|all|allow-all)(?:\s+(exact|tool))?$/i.exec(text);
  if (all === null) return unclear;
  if (asked.kind === "plan") return { type: "answer", answer: { decision: "allow", mode: "acceptEdits" } };
  const scope = all[1]?.toLowerCase() === "tool" ? "tool" : "exact";
  return { type: "answer", answer: { decision: "allowAll", scope } };
}

function toChoices({ input, questions }: Asked, text: string): Typed {
  const known = questionsOf({ questions });
  const asked = known.length > 0 ? known : questionsOf(input);
  if (asked.length === 0) return { type: "answer", answer: { response: text } };
  const parts = asked.length === 1 ? [text] : text.split(";").map((part) => part.trim());
  if (parts.length !== asked.length)
    return { type: "unclear", how: `there are ${asked.length} questions: put ; between the answers` };
  const answers: Record<string, string> = {};
  for (const [at, one] of asked.entries()) {
    const choice = toChoice(one, parts[at]!);
    if (choice === null)
      return { type: "unclear", how: `"${oneLine(one.question)}" has the choices ${choicesOf(one)}` };
    answers[one.question] = choice;
  }
  return { type: "answer", answer: { answers } };
}

type Question = ReturnType<typeof questionsOf>[number];

/** Numbers and labels become labels; other words are an answer of their own. Null for numbers that are none. */
function toChoice({ options, multiSelect }: Question, text: string): string | null {
  if (text === "") return null;
  const named = (word: string): string | undefined =>
    /^\d+$/.test(word)
      ? options[Number(word) - 1]?.label
      : options.find(({ label }) => label.toLowerCase() === word.toLowerCase())?.label;
  const whole = named(text);
  if (whole !== undefined) return whole;
  const words = text.split(",").map((word) => word.trim());
  if (!words.every((word) => /^\d+$/.test(word) || named(word) !== undefined)) return text;
  const labels = words.map(named);
  if (labels.includes(undefined) || (labels.length > 1 && !multiSelect)) return null;
  return [...new Set(labels)].join(", ");
}

function questionLines({ input, questions }: Asked, paint: Paint): string[] {
  const known = questionsOf({ questions });
  const asked = known.length > 0 ? known : questionsOf(input);
  return asked.flatMap((one) => [
    paint("yellow", `${oneLine(one.question)}${one.multiSelect ? " (several)" : ""}`),
    ...one.options.map(({ label, description }, at) => {
      const more = description === null ? "" : paint("dim", `  ${oneLine(description)}`);
      return `  ${at + 1}. ${oneLine(label)}${more}`;
    }),
  ]);
}

function choicesOf({ options, multiSelect }: Question): string {
  return `1 to ${options.length}${multiSelect ? ", several with commas" : ""}`;
}

/** A command as it is, to its end; of other tools all that they were given. */
function inputText({ toolName, input }: Asked): string {
  const command = toolName === "Bash" ? (input as { command?: unknown } | null)?.command : undefined;
  if (typeof command === "string" && command !== "") return command;
  return typeof input === "object" && input !== null && Object.keys(input).length > 0
    ? Object.entries(input)
        .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
        .join("\n")
    : toolText(toolName, input);
}

function cut(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), `  … ${lines.length - most} more lines`];
}
