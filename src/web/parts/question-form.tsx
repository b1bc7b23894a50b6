import { useId, useState } from "react";
import { useWords } from "../words/words.ts";
import { visible } from "./code-text.tsx";

interface Question {
  readonly question: string;
  readonly header?: string;
  readonly multiSelect?: boolean;
  readonly options?: readonly { readonly label: string; readonly description?: string }[];
}

/** The agent's questions with their options; something else can always be said. */
export function QuestionForm({
  questions,
  onAnswer,
}: {
  readonly questions: readonly unknown[];
  readonly onAnswer: (answers: Record<string, string>) => void;
}) {
  const words = useWords();
  const asked = questions as readonly Question[];
  const [chosen, setChosen] = useState<Record<string, readonly string[]>>({});
  const [other, setOther] = useState<Record<string, string>>({});
  const name = useId();
  const answerOf = (question: string): string =>
    [...(chosen[question] ?? []), other[question]?.trim() ?? ""].filter(Boolean).join(", ");
  const isWhole = asked.every(({ question }) => answerOf(question) !== "");
  return (
    <form
      className="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(Object.fromEntries(asked.map(({ question }) => [question, answerOf(question)])));
      }}
    >
      {asked.map(({ question, multiSelect = false, options = [] }, index) => (
        <fieldset key={question}>
          <legend>{visible(question)}</legend>
          {options.map(({ label, description }) => {
            const isOn = chosen[question]?.includes(label) ?? false;
            const toggle = (): void => {
              const before = chosen[question] ?? [];
              const next = multiSelect
                ? isOn
                  ? before.filter((one) => one !== label)
                  : [...before, label]
                : [label];
              setChosen({ ...chosen, [question]: next });
              if (!multiSelect) setOther({ ...other, [question]: "" });
            };
            return (
              <label key={label} className={`option ${isOn ? "on" : ""}`}>
                <input
                  type={multiSelect ? "checkbox" : "radio"}
                  name={`${name}-${index}`}
                  checked={isOn}
                  onChange={toggle}
                />
                <span>
                  {visible(label)}
                  {description !== undefined && <span className="muted"> {visible(description)}</span>}
                </span>
              </label>
            );
          })}
          <input
            className="field"
            aria-label={`${question}: ${words.card.other}`}
            placeholder={words.card.other}
            value={other[question] ?? ""}
            onChange={(event) => {
              setOther({ ...other, [question]: event.target.value });
              if (!multiSelect) setChosen({ ...chosen, [question]: [] });
            }}
          />
        </fieldset>
      ))}
      <button type="submit" className="button primary" disabled={!isWhole}>
        {words.card.answer}
      </button>
    </form>
  );
}
