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
const MISMATCH = new Set(["shown_mismatch", "shown_missing", "too_large"]);
const OVER = new Set(["not_pending", "card_unknown"]);

/**
 * The possible answers to a request. Each carries the request's id and a hash of the current content of the
 * card's element, so that only what is on the screen can be answered.
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
  /** The request's id and text: what was seen or refused for another one does not count. */
  readonly text: string;
  readonly isEndSeen: boolean;
  readonly isTooLarge: boolean;
  readonly onAnswered?: () => void;
}) {
  const words = useStrings();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isGiving, setGiving] = useState(false);
  const [isMismatch, setMismatch] = useState(false);
  const place = useRef<HTMLFieldSetElement>(null);
  const { isSteady, check } = useSteady(place, `${isMismatch} ${text}`);
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    setTrouble(null);
    setGiving(true);
    await act().catch((error: unknown) => {
      if (!(error instanceof ApiError)) return setTrouble(String(error));
      setTrouble(error.message);
      setMismatch(MISMATCH.has(error.code));
      if (OVER.has(error.code)) markEnded(card.id, "elsewhere");
      refreshCards();
    });
    setGiving(false);
  };
  const give: SubmitAnswer = (answer) => {
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
    <fieldset ref={place} className="answer-card" disabled={isGiving || !isSteady} data-card={card.id}>
      {isMismatch ? (
        <div className="actions">
          <button type="button" className="button" onClick={() => setMismatch(false)}>
            {words.card.showAnswersAgain}
          </button>
        </div>
      ) : card.status === "lost" ? (
        <Lost onAgain={askAgain} />
      ) : (
        <Decision card={card} choices={choices} give={give} isEndSeen={isEndSeen} isTooLarge={isTooLarge} />
      )}
      {trouble !== null && (
        <p className="trouble" role="alert">
          {isMismatch ? words.card.requestChanged : visibleText(trouble)}
        </p>
      )}
    </fieldset>
  );
}

function Decision({
  card,
  choices,
  give,
  isEndSeen,
  isTooLarge,
}: {
  readonly card: Card;
  readonly choices: Choices;
  readonly give: SubmitAnswer;
  readonly isEndSeen: boolean;
  readonly isTooLarge: boolean;
}) {
  const words = useStrings();
  const [isDenying, setDenying] = useState(false);
  if (isDenying) return <Denial give={give} onCancel={() => setDenying(false)} />;
  const deny = {
    permission: words.card.deny,
    plan: words.card.reject,
    question: words.card.decline,
  }[card.kind];
  const isQuestion = card.kind === "question";
  return (
    <div className="actions">
      {!isTooLarge && isQuestion && <AnswerButton choices={choices} give={give} isEndSeen={isEndSeen} />}
      {!isTooLarge && !isQuestion && (
        <button
          type="button"
          className="button primary"
          data-answer={ANSWER_KEYS.allowOnce}
          disabled={!isEndSeen}
          onClick={() => give({ decision: "allow" })}
        >
          {card.kind === "plan" ? words.card.approve : words.card.allow}{" "}
          <KeyHint letter={ANSWER_KEYS.allowOnce} />
        </button>
      )}
      <button
        type="button"
        className={`button ${isQuestion ? "bare" : "danger"}`}
        data-answer={ANSWER_KEYS.deny}
        onClick={() => give({ decision: "deny" })}
      >
        {deny} <KeyHint letter={ANSWER_KEYS.deny} />
      </button>
      <div className="more-answers">
        {!isTooLarge && <More card={card} give={give} isEndSeen={isEndSeen} />}
        {!isQuestion && (
          <button
            type="button"
            className="button bare small"
            data-answer={ANSWER_KEYS.denyWhy}
            onClick={() => setDenying(true)}
          >
            {words.card.denyWhy} <KeyHint letter={ANSWER_KEYS.denyWhy} />
          </button>
        )}
      </div>
      {!isTooLarge && !isEndSeen && (
        <p className="muted scroll-hint" role="status">
          {words.card.scrollToAnswer}
        </p>
      )}
    </div>
  );
}

function AnswerButton({
  choices,
  give,
  isEndSeen,
}: {
  readonly choices: Choices;
  readonly give: SubmitAnswer;
  readonly isEndSeen: boolean;
}) {
  const { card } = useStrings();
  const answers = choices.answers();
  return (
    <button
      type="submit"
      className="button primary"
      disabled={answers === null || !isEndSeen}
      onClick={() => answers !== null && give({ answers })}
    >
      {card.answer}
    </button>
  );
}

/** Answers that apply to more than this one call. */
function More({
  card,
  give,
  isEndSeen,
}: {
  readonly card: Card;
  readonly give: SubmitAnswer;
  readonly isEndSeen: boolean;
}) {
  const words = useStrings();
  const { allowExact, allowTool } = ANSWER_KEYS;
  const more: readonly (readonly [typeof allowExact | typeof allowTool, string, CardAnswer])[] = {
    permission: [
      [allowExact, words.card.allowAll, { decision: "allowAll", scope: "exact" }],
      [
        allowTool,
        fill(words.card.allowTool, { tool: visibleTrailingBlanks(visibleLine(card.toolName)) }),
        { decision: "allowAll", scope: "tool" },
      ],
    ] as const,
    plan: [[allowExact, words.card.approveEdits, { decision: "allow", mode: "acceptEdits" }]] as const,
    question: [],
  }[card.kind];
  return more.map(([key, label, answer]) => (
    <button
      key={key}
      type="button"
      className="button bare small"
      data-answer={key}
      disabled={!isEndSeen}
      onClick={() => give(answer)}
    >
      {label} <KeyHint letter={key} />
    </button>
  ));
}

function Denial({ give, onCancel }: { readonly give: SubmitAnswer; readonly onCancel: () => void }) {
  const words = useStrings();
  const [message, setMessage] = useState("");
  return (
    <form
      className="actions deny"
      onSubmit={(event) => {
        event.preventDefault();
        give({ decision: "deny", message });
      }}
    >
      <input
        className="field"
        // biome-ignore lint/a11y/noAutofocus: it was opened to be written into
        autoFocus
        aria-label={words.card.reason}
        placeholder={words.card.reason}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <button type="submit" className="button danger" disabled={message.trim() === ""}>
        {words.card.sendDeny}
      </button>
      <button type="button" className="button bare" onClick={onCancel}>
        {words.app.cancel}
      </button>
    </form>
  );
}

function Lost({ onAgain }: { readonly onAgain: () => Promise<void> }) {
  const words = useStrings();
  return (
    <div className="actions">
      <span className="muted">{words.card.lost}</span>
      <button type="button" className="button" onClick={onAgain}>
        {words.card.askAgain}
      </button>
    </div>
  );
}
