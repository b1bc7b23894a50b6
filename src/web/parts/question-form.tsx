import { useId, useState } from "react";
import { questionsOf } from "../../monitor/tool-text.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useWords } from "../words/words.ts";

/** The agent's questions with their options; something else can always be said. */
export function QuestionForm({
  questions,
  onAnswer,
}: {
  readonly questions: readonly unknown[];
  readonly onAnswer: (answers: Record<string, string>) => void;
}) {
  const words = useWords();
  const asked = questionsOf({ questions });
  // By their place: a question may have any name, also one that objects know.
  const [chosen, setChosen] = useState<Readonly<Record<number, readonly string[]>>>({});
  const [other, setOther] = useState<Readonly<Record<number, string>>>({});
  const name = useId();
  const answerOf = (at: number): string =>
    [...(chosen[at] ?? []), other[at]?.trim() ?? ""].filter(Boolean).join(", ");
  const isWhole = asked.every((_, at) => answerOf(at) !== "");
  return (
    <form
      className="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(Object.fromEntries(asked.map(({ question }, at) => [question, answerOf(at)])));
      }}
    >
      {asked.map(({ question, multiSelect, options }, index) => (
        <fieldset key={question}>
          <legend>{visibleText(question)}</legend>
          {options.map(({ label, description }, at) => {
            const isOn = chosen[index]?.includes(label) ?? false;
            const toggle = (): void => {
              const before = chosen[index] ?? [];
              const next = multiSelect
                ? isOn
                  ? before.filter((one) => one !== label)
                  : [...before, label]
                : [label];
              setChosen({ ...chosen, [index]: next });
              if (!multiSelect) setOther({ ...other, [index]: "" });
            };
            return (
              <label key={label} className={`option ${isOn ? "on" : ""}`}>
                <input
                  type={multiSelect ? "checkbox" : "radio"}
                  name={`${name}-${index}`}
                  checked={isOn}
                  data-answer={index === 0 && at < 9 ? String(at + 1) : undefined}
                  onChange={toggle}
                />
                <span>
                  {visibleText(label)}
                  {description !== null && <span className="muted"> {visibleText(description)}</span>}
                </span>
              </label>
            );
          })}
          <input
            className="field"
            aria-label={`${visibleText(question)}: ${words.card.other}`}
            placeholder={words.card.other}
            value={other[index] ?? ""}
            onChange={(event) => {
              setOther({ ...other, [index]: event.target.value });
              if (!multiSelect) setChosen({ ...chosen, [index]: [] });
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
