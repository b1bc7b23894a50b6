import { useState } from "react";
import type { Card, CardAnswer } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { answerCard } from "../api/cards.ts";
import { Refused, send } from "../api/client.ts";
import { useNow } from "../api/clock.ts";
import { Link } from "../shell/link.tsx";
import { age, baseName } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { CodeText, visible } from "./code-text.tsx";
import { QuestionForm } from "./question-form.tsx";
import { titleOf } from "./standing.ts";
import { StateMark } from "./state-mark.tsx";
import "./request-card.css";

/** One session that waits: what it asks in its exact words, and the answers that can be given from here. */
export function RequestCard({
  session,
  card,
}: {
  readonly session: SessionSnapshot;
  readonly card: Card | undefined;
}) {
  const words = useWords();
  const now = useNow();
  const [trouble, setTrouble] = useState<string | null>(null);
  const { waiting } = session;
  const give = async (answer: CardAnswer): Promise<void> => {
    if (card === undefined) return;
    setTrouble(null);
    await answerCard(card.id, answer).catch((error: unknown) => {
      setTrouble(error instanceof Refused ? error.message : String(error));
    });
  };
  const since = waiting?.sinceIso ?? session.sinceIso;
  return (
    <article
      className="request-card panel"
      data-row
      aria-label={`${words.now.needsYou}: ${titleOf(session)}`}
    >
      <header>
        <StateMark session={session} />
        <Link href={`/s/${session.sessionId}`} className="title cut">
          {titleOf(session)}
        </Link>
        <span className="muted where cut">
          {baseName(session.projectPath)}
          {session.gitBranch !== null && ` ▸ ${session.gitBranch}`}
        </span>
        <span className="waits">{fill(words.now.waits, { age: age(now - Date.parse(since)) })}</span>
      </header>
      {waiting !== null && waiting.kind !== "question" && <CodeText text={waiting.text} />}
      {waiting === null && <p className="why">{visible(session.why)}</p>}
      {card?.reason != null && <p className="muted why">{visible(card.reason)}</p>}
      {card === undefined ? (
        waiting !== null && (
          <>
            {waiting.kind === "question" && <Questions session={session} />}
            <p className="muted hint">
              {words.card.terminalOnly} <span className="mono">{words.card.terminalHint}</span>
            </p>
          </>
        )
      ) : card.status === "lost" ? (
        <Lost card={card} />
      ) : card.kind === "question" ? (
        <QuestionForm questions={card.questions} onAnswer={(answers) => give({ answers })} />
      ) : (
        <Decision card={card} give={give} />
      )}
      {session.alsoWaiting > 0 && <p className="muted">{fill(words.now.also, { n: session.alsoWaiting })}</p>}
      {card?.untilIso != null && card.status === "pending" && (
        <p className="muted hint">{fill(words.card.until, { age: age(Date.parse(card.untilIso) - now) })}</p>
      )}
      {trouble !== null && (
        <p className="trouble" role="alert">
          {trouble}
        </p>
      )}
    </article>
  );
}

function Questions({ session }: { readonly session: SessionSnapshot }) {
  return (
    <ul className="questions">
      {session.waiting?.questions.map(({ question, options }) => (
        <li key={question}>
          <strong>{visible(question)}</strong>
          <span className="muted"> {options.map(({ label }) => visible(label)).join(" · ")}</span>
        </li>
      ))}
    </ul>
  );
}

function Decision({
  card,
  give,
}: {
  readonly card: Card;
  readonly give: (answer: CardAnswer) => Promise<void>;
}) {
  const words = useWords();
  const [isDenying, setDenying] = useState(false);
  const [message, setMessage] = useState("");
  const isPlan = card.kind === "plan";
  if (isDenying)
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
        <button type="button" className="button bare" onClick={() => setDenying(false)}>
          {words.app.cancel}
        </button>
      </form>
    );
  return (
    <div className="actions">
      <button type="button" className="button primary" onClick={() => give({ decision: "allow" })}>
        {isPlan ? words.card.approve : words.card.allow}
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
        <button
          type="button"
          className="button"
          onClick={() => give({ decision: "allowAll", scope: "exact" })}
        >
          {words.card.allowAll}
        </button>
      )}
      <button type="button" className="button danger" onClick={() => give({ decision: "deny" })}>
        {isPlan ? words.card.reject : words.card.deny}
      </button>
      <button type="button" className="button bare" onClick={() => setDenying(true)}>
        {words.card.denyWhy}
      </button>
    </div>
  );
}

function Lost({ card }: { readonly card: Card }) {
  const words = useWords();
  const path = `/api/control/sessions/${card.sessionId}/again/${card.toolUseId}`;
  return (
    <div className="actions">
      <span className="muted">{words.card.lost}</span>
      <button type="button" className="button" onClick={() => void send("POST", path, { who: "browser" })}>
        {words.card.askAgain}
      </button>
    </div>
  );
}
