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

/** The current choices, by position of question and option, because texts may repeat. */
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
  const answerOf = (index: number): string => {
    const labels = (chosen[index] ?? []).flatMap((option) => questions[index]?.labels[option] ?? []);
    return [...labels, others[index]?.trim() ?? ""].filter(Boolean).join(", ");
  };
  return {
    questions,
    isChosen: (question, option) => chosen[question]?.includes(option) ?? false,
    toggle(question, option) {
      const current = chosen[question] ?? [];
      const isOn = current.includes(option);
      if (questions[question]?.isMulti === true) {
        const next = isOn
          ? current.filter((chosenOption) => chosenOption !== option)
          : [...current, option].toSorted((a, b) => a - b);
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
      const pairs = questions.map(({ text }, index) => [text, answerOf(index)] as const);
      if (pairs.length === 0 || pairs.some(([text, answer]) => text === null || answer === "")) return null;
      const answers = new Map(pairs as readonly (readonly [string, string])[]);
      // Answers are keyed by question text, so a question asked twice cannot have two different answers.
      return pairs.every(([text, answer]) => answers.get(text!) === answer)
        ? Object.fromEntries(answers)
        : null;
    },
  };
}

/** Reads the request's own input, which is also what the card shows. */
function readQuestions(input: unknown): Question[] {
  const { questions } = (input ?? {}) as { questions?: unknown };
  if (!Array.isArray(questions)) return [];
  return questions.map((entry: unknown) => {
    const { question, multiSelect, options } = (entry ?? {}) as Readonly<Record<string, unknown>>;
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
  const strings = useStrings();
  const name = useId();
  const { head, groups } = groupByQuestion(parts, choices.questions);
  return (
    <>
      <ShownParts parts={head} toolName="" />
      {groups.map(({ question, options, rest }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: questions are identified by position
        <fieldset key={index} className="question" aria-labelledby={`${name}-${index}`} disabled={!canChoose}>
          <div id={`${name}-${index}`} className="shown-part is-question">
            <Shown part={question} />
          </div>
          {options.map(({ option, more }, optionIndex) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <label key={optionIndex} className={`option ${choices.isChosen(index, optionIndex) ? "on" : ""}`}>
              <input
                type={choices.questions[index]?.isMulti === true ? "checkbox" : "radio"}
                name={`${name}-${index}`}
                checked={choices.isChosen(index, optionIndex)}
                disabled={(choices.questions[index]?.labels[optionIndex] ?? null) === null}
                data-answer={index === 0 && optionIndex < 9 ? String(optionIndex + 1) : undefined}
                onChange={() => choices.toggle(index, optionIndex)}
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
              aria-label={strings.card.other}
              aria-describedby={`${name}-${index}`}
              placeholder={strings.card.other}
              value={choices.other(index)}
              onChange={(event) => choices.setOther(index, event.target.value)}
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
function groupByQuestion(
  parts: readonly ShownPart[],
  questions: readonly Question[],
): { head: ShownPart[]; groups: QuestionGroup[] } {
  const head: ShownPart[] = [];
  const groups: QuestionGroup[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    const count = questions[groups.length - 1]?.labels.length ?? 0;
    if (part.role === "question") groups.push({ question: part, options: [], rest: [] });
    else if (last === undefined) head.push(part);
    else if (part.role === "option") last.options.push({ option: part, more: [] });
    else if (last.options.length > 0 && (part.role === "about" || last.options.length < count))
      last.options.at(-1)!.more.push(part);
    else last.rest.push(part);
  }
  return { head, groups };
}
