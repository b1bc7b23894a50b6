import { type RefObject, useRef, useState } from "react";
import type { Card, CardAnswer } from "../../control/control-contract.ts";
import { ANSWER_KEYS } from "../../shown/answer-keys.ts";
import { hashShown } from "../../shown/show-request.ts";
import { visibleLine, visibleText, visibleTrailingBlanks } from "../../shown/visible-text.ts";
import { answerCard, markEnded, refreshCards } from "../api/cards.ts";
import { ApiError, send } from "../api/client.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { KeyHint } from "../session/key-hint.tsx";
import type { Choices } from "./question-parts.tsx";
import { readShown } from "./shown-parts.tsx";
import { useSteady } from "./use-steady.ts";
import "./answer-actions.css";

type SubmitAnswer = (answer: CardAnswer) => void;

/** The daemon has a different request under this id than the one on the screen. */
const MISMATCH_CODES = new Set(["shown_mismatch", "shown_missing", "too_large"]);
const ENDED_CODES = new Set(["not_pending", "card_unknown"]);

/**
 * The possible answers to a request. Each carries the request's id and a hash of the current content of the
 * card's element, so that only the request on the screen can be answered.
 */
export function AnswerActions({
  card,
  box,
  choices,
  text,
  isEndSeen,
  isTooLarge,
  onAnswered,
}: {
  readonly card: Card;
  readonly box: RefObject<HTMLElement | null>;
  readonly choices: Choices;
  /** The request's id and text; having seen or refused a different request does not count. */
  readonly text: string;
  readonly isEndSeen: boolean;
  readonly isTooLarge: boolean;
  readonly onAnswered?: () => void;
}) {
  const strings = useStrings();
  const [error, setError] = useState<string | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  const [isMismatch, setMismatch] = useState(false);
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const { isSteady, check } = useSteady(fieldset, `${isMismatch} ${text}`);
  const attempt = async (action: () => Promise<unknown>): Promise<void> => {
    setError(null);
    setSubmitting(true);
    await action().catch((error: unknown) => {
      if (!(error instanceof ApiError)) return setError(String(error));
      setError(error.message);
      setMismatch(MISMATCH_CODES.has(error.code));
      if (ENDED_CODES.has(error.code)) markEnded(card.id, "elsewhere");
      refreshCards();
    });
    setSubmitting(false);
  };
  const submit: SubmitAnswer = (answer) => {
    const shown = readShown(box.current!);
    if (!check()) return;
    void attempt(async () => {
      await answerCard(card.id, { ...answer, shown: await hashShown(shown) });
      onAnswered?.();
    });
  };
  const askAgain = (): Promise<void> =>
    attempt(() =>
      send(
        "POST",
        `/api/control/sessions/${encodeURIComponent(card.sessionId)}/again/${encodeURIComponent(card.id)}`,
        { who: "browser", commandId: crypto.randomUUID() },
      ),
    );
  return (
    <fieldset ref={fieldset} className="answer-card" disabled={isSubmitting || !isSteady} data-card={card.id}>
      {isMismatch ? (
        <div className="actions">
          <button type="button" className="button" onClick={() => setMismatch(false)}>
            {strings.card.showAnswersAgain}
          </button>
        </div>
      ) : card.status === "lost" ? (
        <LostRequest onAskAgain={askAgain} />
      ) : (
        <Decision
          card={card}
          choices={choices}
          submit={submit}
          isEndSeen={isEndSeen}
          isTooLarge={isTooLarge}
        />
      )}
      {error !== null && (
        <p className="error-text" role="alert">
          {isMismatch ? strings.card.requestChanged : visibleText(error)}
        </p>
      )}
    </fieldset>
  );
}

function Decision({
  card,
  choices,
  submit,
  isEndSeen,
  isTooLarge,
}: {
  readonly card: Card;
  readonly choices: Choices;
  readonly submit: SubmitAnswer;
  readonly isEndSeen: boolean;
  readonly isTooLarge: boolean;
}) {
  const strings = useStrings();
  const [isDenying, setDenying] = useState(false);
  if (isDenying) return <DenyForm submit={submit} onCancel={() => setDenying(false)} />;
  const deny = {
    permission: strings.card.deny,
    plan: strings.card.reject,
    question: strings.card.decline,
  }[card.kind];
  const isQuestion = card.kind === "question";
  return (
    <div className="actions">
      {!isTooLarge && isQuestion && <AnswerButton choices={choices} submit={submit} isEndSeen={isEndSeen} />}
      {!isTooLarge && !isQuestion && (
        <button
          type="button"
          className="button primary"
          data-answer={ANSWER_KEYS.allowOnce}
          disabled={!isEndSeen}
          onClick={() => submit({ decision: "allow" })}
        >
          {card.kind === "plan" ? strings.card.approve : strings.card.allow}{" "}
          <KeyHint letter={ANSWER_KEYS.allowOnce} />
        </button>
      )}
      <button
        type="button"
        className={`button ${isQuestion ? "bare" : "danger"}`}
        data-answer={ANSWER_KEYS.deny}
        onClick={() => submit({ decision: "deny" })}
      >
        {deny} <KeyHint letter={ANSWER_KEYS.deny} />
      </button>
      <div className="more-answers">
        {!isTooLarge && <MoreAnswers card={card} submit={submit} isEndSeen={isEndSeen} />}
        {!isQuestion && (
          <button
            type="button"
            className="button bare small"
            data-answer={ANSWER_KEYS.denyWhy}
            onClick={() => setDenying(true)}
          >
            {strings.card.denyWhy} <KeyHint letter={ANSWER_KEYS.denyWhy} />
          </button>
        )}
      </div>
      {!isTooLarge && !isEndSeen && (
        <p className="muted scroll-hint" role="status">
          {strings.card.scrollToAnswer}
        </p>
      )}
    </div>
  );
}

function AnswerButton({
  choices,
  submit,
  isEndSeen,
}: {
  readonly choices: Choices;
  readonly submit: SubmitAnswer;
  readonly isEndSeen: boolean;
}) {
  const { card } = useStrings();
  const answers = choices.answers();
  return (
    <button
      type="submit"
      className="button primary"
      disabled={answers === null || !isEndSeen}
      onClick={() => answers !== null && submit({ answers })}
    >
      {card.answer}
    </button>
  );
}

/** Answers that apply to more than this one call. */
function MoreAnswers({
  card,
  submit,
  isEndSeen,
}: {
  readonly card: Card;
  readonly submit: SubmitAnswer;
  readonly isEndSeen: boolean;
}) {
  const strings = useStrings();
  const { allowExact, allowTool } = ANSWER_KEYS;
  const more: readonly (readonly [typeof allowExact | typeof allowTool, string, CardAnswer])[] = {
    permission: [
      [allowExact, strings.card.allowAll, { decision: "allowAll", scope: "exact" }],
      [
        allowTool,
        fill(strings.card.allowTool, { tool: visibleTrailingBlanks(visibleLine(card.toolName)) }),
        { decision: "allowAll", scope: "tool" },
      ],
    ] as const,
    plan: [[allowExact, strings.card.approveEdits, { decision: "allow", mode: "acceptEdits" }]] as const,
    question: [],
  }[card.kind];
  return more.map(([key, label, answer]) => (
    <button
      key={key}
      type="button"
      className="button bare small"
      data-answer={key}
      disabled={!isEndSeen}
      onClick={() => submit(answer)}
    >
      {label} <KeyHint letter={key} />
    </button>
  ));
}

function DenyForm({ submit, onCancel }: { readonly submit: SubmitAnswer; readonly onCancel: () => void }) {
  const strings = useStrings();
  const [message, setMessage] = useState("");
  return (
    <form
      className="actions deny"
      onSubmit={(event) => {
        event.preventDefault();
        submit({ decision: "deny", message });
      }}
    >
      <input
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the user opened it to type
        autoFocus
        aria-label={strings.card.reason}
        placeholder={strings.card.reason}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <button type="submit" className="button danger" disabled={message.trim() === ""}>
        {strings.card.sendDeny}
      </button>
      <button type="button" className="button bare" onClick={onCancel}>
        {strings.app.cancel}
      </button>
    </form>
  );
}

function LostRequest({ onAskAgain }: { readonly onAskAgain: () => Promise<void> }) {
  const strings = useStrings();
  return (
    <div className="actions">
      <span className="muted">{strings.card.lost}</span>
      <button type="button" className="button" onClick={onAskAgain}>
        {strings.card.askAgain}
      </button>
    </div>
  );
}
