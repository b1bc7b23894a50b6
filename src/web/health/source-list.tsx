import type { DaemonStatus, MemoryStatus } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { lastValue, useAnswer } from "../api/use-answer.ts";
import { count, shortAge } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { Mark } from "./mark.tsx";

/** When each of those who tell us things last did. */
export function SourceList({ status }: { readonly status: DaemonStatus }) {
  const { health } = useWords();
  const now = useNow();
  const sources = Object.entries(status.lastEventPerSource).sort(([, a], [, b]) => (a < b ? 1 : -1));
  return (
    <section aria-labelledby="health-sources">
      <h2 id="health-sources">{health.sources}</h2>
      {sources.length === 0 && <p className="panel muted none">{health.noEvent}</p>}
      <dl className="panel facts" hidden={sources.length === 0}>
        {sources.map(([source, atIso]) => (
          <div key={source}>
            <dt>{health.source[source as keyof typeof health.source] ?? visibleText(source)}</dt>
            <dd>
              <time dateTime={atIso}>{fill(health.ago, { age: shortAge(now - Date.parse(atIso)) })}</time>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Whether all that is remembered can be found. */
export function SearchFacts() {
  const { health } = useWords();
  const [asked] = useAnswer<MemoryStatus>("/api/memory");
  const memory = lastValue(asked);
  if (memory === null) return null;
  const { index, outbox, model } = memory;
  const waiting = index.waiting + outbox;
  return (
    <section aria-labelledby="health-search">
      <h2 id="health-search">{health.search}</h2>
      <dl className="panel facts">
        <div>
          <dt>{health.index}</dt>
          <dd>
            <Mark tone={waiting === 0 ? "ok" : "warn"}>
              {fill(health.indexText, { items: count(index.items), waiting })}
            </Mark>
          </dd>
        </div>
        <div>
          <dt>{health.vectors}</dt>
          <dd>
            <Mark tone={index.embedder === null || index.note !== null ? "warn" : "ok"}>
              {index.note !== null
                ? visibleText(index.note)
                : fill(health.vectorsText, { n: count(index.embedded), rest: index.unembedded })}
            </Mark>
            {index.embedder !== null && (
              <span className="muted mono small">{visibleText(index.embedder)}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>{health.model}</dt>
          <dd>
            {model === null
              ? health.noModel
              : fill(health.modelText, {
                  name: visibleText(model.name),
                  used: count(model.tokensToday),
                  most: count(model.dailyTokens),
                })}
          </dd>
        </div>
      </dl>
    </section>
  );
}
