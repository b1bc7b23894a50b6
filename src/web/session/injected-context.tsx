import type { Injection } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { formatCount, formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import "./injected-context.css";
import { daemonText } from "../i18n/daemon-text.ts";

/** The memory injected into this session, when, and the reason for each item. */
export function InjectedContext({ sessionId }: { readonly sessionId: string }) {
  const { session, app, unit } = useStrings();
  const [response, refetch] = useFetch<{ injections: Injection[] }>(
    `/api/context?session=${encodeURIComponent(sessionId)}&limit=100`,
  );
  const injections = lastValue(response)?.injections;
  if (response.type === "failed" && injections === undefined)
    return (
      <p role="alert">
        {fill(app.failed, { why: visibleText(response.error.message) })}{" "}
        <button type="button" className="button" onClick={refetch}>
          {app.tryAgain}
        </button>
      </p>
    );
  if (injections === undefined) return <p className="muted">{session.loading}</p>;
  if (injections.length === 0) return <p className="muted">{session.nothingInjected}</p>;
  return (
    <div className="injection-list">
      {injections.map(({ kind, atIso, tokens, items }) => (
        <section key={`${kind} ${atIso}`} className="panel">
          <h2>
            {session.injectionKind[kind]} <span className="muted">{formatTime(atIso)}</span>
            <span className="muted number">{fill(unit.tokens, { n: formatCount(tokens) })}</span>
          </h2>
          <ul>
            {items.map((item) => (
              <li key={item.id}>
                <span className="title">{visibleText(item.title)}</span>
                <span className="muted why">{visibleText(daemonText(item.why))}</span>
                <span className="muted number">{fill(unit.tokens, { n: formatCount(item.tokens) })}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
