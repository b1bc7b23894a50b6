import type { Card } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { useNow } from "../api/clock.ts";
import { Link } from "../shell/link.tsx";
import { age, baseName } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { AnswerCard } from "./answer-card.tsx";
import { CodeText, visible } from "./code-text.tsx";
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
  const { waiting } = session;
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
      ) : (
        <AnswerCard card={card} />
      )}
      {session.alsoWaiting > 0 && <p className="muted">{fill(words.now.also, { n: session.alsoWaiting })}</p>}
      {card?.untilIso != null && card.status === "pending" && (
        <p className="muted hint">{fill(words.card.until, { age: age(Date.parse(card.untilIso) - now) })}</p>
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
