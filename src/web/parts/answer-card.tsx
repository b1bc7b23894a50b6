import { useEffect, useState } from "react";
import type { Card, CardAnswer } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { answerCard } from "../api/cards.ts";
import { Refused, send } from "../api/client.ts";
import { KeyHint } from "../session/key-hint.tsx";
import { fill, useWords } from "../words/words.ts";
import { QuestionForm } from "./question-form.tsx";
import "./answer-card.css";

/** What has just come is not answered by a hand that was on its way to something else. */
const TOO_SOON_MS = 350;

type Answered = Pick<Card, "id" | "sessionId" | "kind" | "toolName" | "questions" | "status">;

/** The answers that can be given to a request, in its place on any page. */
export function AnswerCard({
  card,
  onAnswered,
}: {
  readonly card: Answered;
  readonly onAnswered?: () => void;
}) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isGiving, setGiving] = useState(false);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), TOO_SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    setTrouble(null);
    setGiving(true);
    await act().catch((error: unknown) => {
      setTrouble(error instanceof Refused ? error.message : String(error));
    });
    setGiving(false);
  };
  const give = (answer: CardAnswer): Promise<void> =>
    attempt(() => answerCard(card.id, answer).then(onAnswered));
  const askAgain = (): Promise<void> =>
    attempt(() =>
      send(
        "POST",
        `/api/control/sessions/${encodeURIComponent(card.sessionId)}/again/${encodeURIComponent(card.id)}`,
        { who: "browser", commandId: crypto.randomUUID() },
      ),
    );
  return (
    <fieldset className="answer-card" disabled={isGiving || !isReady} data-card={card.id}>
      {card.status === "lost" ? (
        <Lost onAgain={askAgain} />
      ) : card.kind === "question" ? (
        <QuestionForm questions={card.questions} onAnswer={(answers) => give({ answers })} />
      ) : (
        <Decision card={card} give={give} />
      )}
      {trouble !== null && (
        <p className="trouble" role="alert">
          {visibleText(trouble)}
        </p>
      )}
    </fieldset>
  );
}

function Decision({
  card,
  give,
}: {
  readonly card: Answered;
  readonly give: (answer: CardAnswer) => Promise<void>;
}) {
  const words = useWords();
  const [isDenying, setDenying] = useState(false);
  const isPlan = card.kind === "plan";
  if (isDenying) return <Denial give={give} onCancel={() => setDenying(false)} />;
  return (
    <div className="actions">
      <button
        type="button"
        className="button primary"
        data-answer="a"
        onClick={() => give({ decision: "allow" })}
      >
        {isPlan ? words.card.approve : words.card.allow} <KeyHint letter="a" />
      </button>
      {isPlan ? (
        <button
          type="button"
          className="button"
          onClick={() => give({ decision: "allow", mode: "acceptEdits" })}
        >
          {words.card.approveEdits}
        </button>
      ) : (
        <>
          <button
            type="button"
            className="button"
            onClick={() => give({ decision: "allowAll", scope: "exact" })}
          >
            {words.card.allowAll}
          </button>
          <button
            type="button"
            className="button"
            onClick={() => give({ decision: "allowAll", scope: "tool" })}
          >
            {fill(words.card.allowTool, { tool: visibleText(card.toolName) })}
          </button>
        </>
      )}
      <button
        type="button"
        className="button danger"
        data-answer="d"
        onClick={() => give({ decision: "deny" })}
      >
        {isPlan ? words.card.reject : words.card.deny} <KeyHint letter="d" />
      </button>
      <button type="button" className="button bare" onClick={() => setDenying(true)}>
        {words.card.denyWhy}
      </button>
    </div>
  );
}

function Denial({
  give,
  onCancel,
}: {
  readonly give: (answer: CardAnswer) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const words = useWords();
  const [message, setMessage] = useState("");
  return (
    <form
      className="actions deny"
      onSubmit={(event) => {
        event.preventDefault();
        void give({ decision: "deny", message });
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
  const words = useWords();
  return (
    <div className="actions">
      <span className="muted">{words.card.lost}</span>
      <button type="button" className="button" onClick={onAgain}>
        {words.card.askAgain}
      </button>
    </div>
  );
}
