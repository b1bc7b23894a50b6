import type { DaemonStatus, MemoryStatus } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { formatCount, formatShortDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { HealthBadge } from "./health-badge.tsx";

/** When each source last sent an event. */
export function SourceList({ status }: { readonly status: DaemonStatus }) {
  const { health } = useStrings();
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
              <time dateTime={atIso}>
                {fill(health.ago, { age: formatShortDuration(now - Date.parse(atIso)) })}
              </time>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Whether everything stored can be found. */
export function SearchStatus() {
  const { health } = useStrings();
  const [response] = useFetch<MemoryStatus>("/api/memory");
  const memory = lastValue(response);
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
            <HealthBadge tone={waiting === 0 ? "ok" : "warn"}>
              {fill(health.indexText, { items: formatCount(index.items), waiting })}
            </HealthBadge>
          </dd>
        </div>
        <div>
          <dt>{health.vectors}</dt>
          <dd>
            <HealthBadge tone={index.embedder === null || index.note !== null ? "warn" : "ok"}>
              {index.note !== null
                ? visibleText(daemonText(index.note))
                : fill(health.vectorsText, { n: formatCount(index.embedded), rest: index.unembedded })}
            </HealthBadge>
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
                  used: formatCount(model.tokensToday),
                  most: formatCount(model.dailyTokens),
                })}
          </dd>
        </div>
      </dl>
    </section>
  );
}
