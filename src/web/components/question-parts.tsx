import { useId, useState } from "react";
import type { Card } from "../../control/control-contract.ts";
import type { ShownPart } from "../../shown/show-request.ts";
import { useStrings } from "../i18n/strings.ts";
import { Shown, ShownParts } from "./shown-parts.tsx";
import "./question-parts.css";

interface Question {
  readonly text: string | null;
  readonly isMulti: boolean;
  readonly labels: readonly (string | null)[];
}

/** The choices so far, by the positions of questions and options: their texts can be anything. */
export interface Choices {
  readonly questions: readonly Question[];
  isChosen(question: number, option: number): boolean;
  toggle(question: number, option: number): void;
  other(question: number): string;
  setOther(question: number, text: string): void;
  /** Null until every question has an answer. */
  answers(): Record<string, string> | null;
}

export function useChoices(card: Card): Choices {
  const [chosen, setChosen] = useState<Readonly<Record<number, readonly number[]>>>({});
  const [others, setOthers] = useState<Readonly<Record<number, string>>>({});
  const questions = card.kind === "question" ? readQuestions(card.input) : [];
  const answerOf = (at: number): string => {
    const labels = (chosen[at] ?? []).flatMap((option) => questions[at]?.labels[option] ?? []);
    return [...labels, others[at]?.trim() ?? ""].filter(Boolean).join(", ");
  };
  return {
    questions,
    isChosen: (question, option) => chosen[question]?.includes(option) ?? false,
    toggle(question, option) {
      const before = chosen[question] ?? [];
      const isOn = before.includes(option);
      if (questions[question]?.isMulti === true) {
        const next = isOn
          ? before.filter((one) => one !== option)
          : [...before, option].toSorted((a, b) => a - b);
        setChosen({ ...chosen, [question]: next });
        return;
      }
      setChosen({ ...chosen, [question]: [option] });
      setOthers({ ...others, [question]: "" });
    },
    other: (question) => others[question] ?? "",
    setOther(question, text) {
      setOthers({ ...others, [question]: text });
      if (questions[question]?.isMulti !== true) setChosen({ ...chosen, [question]: [] });
    },
    answers() {
      const pairs = questions.map(({ text }, at) => [text, answerOf(at)] as const);
      if (pairs.length === 0 || pairs.some(([text, answer]) => text === null || answer === "")) return null;
      const answers = new Map(pairs as readonly (readonly [string, string])[]);
      // Answers are keyed by question text, so a question asked twice cannot have two different answers.
      return pairs.every(([text, answer]) => answers.get(text!) === answer)
        ? Object.fromEntries(answers)
        : null;
    },
  };
}

/** Straight from the request's own input, which is what is shown. */
function readQuestions(input: unknown): Question[] {
  const { questions } = (input ?? {}) as { questions?: unknown };
  if (!Array.isArray(questions)) return [];
  return questions.map((one: unknown) => {
    const { question, multiSelect, options } = (one ?? {}) as Readonly<Record<string, unknown>>;
    const labels = Array.isArray(options)
      ? options.map((option: unknown) => textOf((option as { label?: unknown } | null)?.label ?? option))
      : [];
    return { text: textOf(question), isMulti: multiSelect === true, labels };
  });
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

interface QuestionGroup {
  readonly question: ShownPart;
  readonly options: { readonly option: ShownPart; readonly more: ShownPart[] }[];
  readonly rest: ShownPart[];
}

/** The parts of questions with the controls that answer them, in order. */
export function QuestionParts({
  parts,
  choices,
  canChoose,
}: {
  readonly parts: readonly ShownPart[];
  readonly choices: Choices;
  readonly canChoose: boolean;
}) {
  const words = useStrings();
  const name = useId();
  const { head, asked } = arrange(parts, choices.questions);
  return (
    <>
      <ShownParts parts={head} toolName="" />
      {asked.map(({ question, options, rest }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: questions have their places and nothing else
        <fieldset key={at} className="question" aria-labelledby={`${name}-${at}`} disabled={!canChoose}>
          <div id={`${name}-${at}`} className="shown-part is-question">
            <Shown part={question} />
          </div>
          {options.map(({ option, more }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <label key={place} className={`option ${choices.isChosen(at, place) ? "on" : ""}`}>
              <input
                type={choices.questions[at]?.isMulti === true ? "checkbox" : "radio"}
                name={`${name}-${at}`}
                checked={choices.isChosen(at, place)}
                disabled={(choices.questions[at]?.labels[place] ?? null) === null}
                data-answer={at === 0 && place < 9 ? String(place + 1) : undefined}
                onChange={() => choices.toggle(at, place)}
              />
              <span className="option-text">
                <Shown part={option} />
                {more.map((part, index) =>
                  part.role === "about" ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <span key={index} className="shown-part is-about">
                      <Shown part={part} />
                    </span>
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <ShownParts key={index} parts={[part]} toolName="" />
                  ),
                )}
              </span>
            </label>
          ))}
          <ShownParts parts={rest} toolName="" />
          {canChoose && (
            <input
              className="field"
              aria-label={words.card.other}
              aria-describedby={`${name}-${at}`}
              placeholder={words.card.other}
              value={choices.other(at)}
              onChange={(event) => choices.setOther(at, event.target.value)}
            />
          )}
        </fieldset>
      ))}
    </>
  );
}

/**
 * By role, never by name. A field after an option belongs to that option, but after the last one it may
 * belong to the question.
 */
function arrange(
  parts: readonly ShownPart[],
  questions: readonly Question[],
): { head: ShownPart[]; asked: QuestionGroup[] } {
  const head: ShownPart[] = [];
  const asked: QuestionGroup[] = [];
  for (const part of parts) {
    const last = asked.at(-1);
    const count = questions[asked.length - 1]?.labels.length ?? 0;
    if (part.role === "question") asked.push({ question: part, options: [], rest: [] });
    else if (last === undefined) head.push(part);
    else if (part.role === "option") last.options.push({ option: part, more: [] });
    else if (last.options.length > 0 && (part.role === "about" || last.options.length < count))
      last.options.at(-1)!.more.push(part);
    else last.rest.push(part);
  }
  return { head, asked };
}
