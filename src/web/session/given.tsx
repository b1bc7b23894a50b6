import type { Injection } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useAnswer } from "../api/use-answer.ts";
import { clock, count } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import "./given.css";

/** What of memory this session was given, when, and why each. */
export function Given({ sessionId }: { readonly sessionId: string }) {
  const { session, app, unit } = useWords();
  const [asked, again] = useAnswer<{ injections: Injection[] }>(
    `/api/context?session=${encodeURIComponent(sessionId)}&limit=100`,
  );
  const injections = lastValue(asked)?.injections;
  if (asked.type === "failed" && injections === undefined)
    return (
      <p role="alert">
        {fill(app.failed, { why: visibleText(asked.error.message) })}{" "}
        <button type="button" className="button" onClick={again}>
          {app.again}
        </button>
      </p>
    );
  if (injections === undefined) return <p className="muted">{session.reading}</p>;
  if (injections.length === 0) return <p className="muted">{session.nothingGiven}</p>;
  return (
    <div className="given-list">
      {injections.map(({ kind, atIso, tokens, items }) => (
        <section key={`${kind} ${atIso}`} className="panel">
          <h2>
            {session.givenKind[kind]} <span className="muted">{clock(atIso)}</span>
            <span className="muted number">{fill(unit.tokens, { n: count(tokens) })}</span>
          </h2>
          <ul>
            {items.map((item) => (
              <li key={item.id}>
                <span className="title">{visibleText(item.title)}</span>
                <span className="muted why">{visibleText(item.why)}</span>
                <span className="muted number">{fill(unit.tokens, { n: count(item.tokens) })}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
