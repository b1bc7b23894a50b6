import { useMemo, useRef, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { ActiveFilters, Facets } from "../search/facets.tsx";
import { HitList } from "../search/hit-list.tsx";
import { ItemPanel } from "../search/item-panel.tsx";
import {
  type Facet,
  fromQuery,
  hasMore,
  isLimitReached,
  type SearchParams,
  toApiPath,
  toHref,
  withMore,
} from "../search/search-query.ts";
import { useSearch } from "../search/use-search.ts";
import { go, useRoute } from "../shell/router.ts";
import "../styles/lists.css";
import "../search/search.css";
import { daemonText } from "../i18n/daemon-text.ts";

/** Search over everything stored, as you type. */
export function SearchPage() {
  const { search: words, pages } = useStrings();
  const { query } = useRoute();
  const wish = useMemo(() => fromQuery(query), [query]);
  const [round, setRound] = useState(0);
  // The time changes the query only when it is run again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` does not change what is searched
  const path = useMemo(() => toApiPath(wish, Date.now()), [wish.q, JSON.stringify(wish.filters), wish.limit]);
  const { answer, error, isLoading } = useSearch(path, round);
  const field = useRef<HTMLInputElement>(null);
  const change = (part: Partial<SearchParams>): void => go(toHref({ ...wish, ...part }), "replace");
  const choose = (facet: Facet, value: string | null): void => {
    const { [facet]: _before, ...others } = wish.filters;
    change({ filters: value === null ? others : { ...others, [facet]: value }, open: null });
  };
  const close = (): void => {
    const { open } = wish;
    change({ open: null });
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-hit="${open}"]`)?.focus());
  };
  const toHits = (): void => document.querySelector<HTMLElement>("button.hit")?.focus();
  const hits = answer?.hits ?? [];
  const isBlank = wish.q.trim() === "" && Object.keys(wish.filters).length === 0;
  return (
    <div className={`search-page ${wish.open === null ? "" : "with-item"}`}>
      <h1 className="sr-only">{pages.search}</h1>
      <search className="search-head">
        <input
          ref={field}
          className="field"
          type="search"
          data-key="/"
          // biome-ignore lint/a11y/noAutofocus: one comes here to write into it
          autoFocus={wish.open === null}
          aria-label={words.field}
          placeholder={words.field}
          value={wish.q}
          onChange={(event) => change({ q: event.target.value, open: null })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "ArrowDown" || event.key === "Enter") {
              event.preventDefault();
              toHits();
            }
          }}
        />
        <p className="muted told" role="status">
          {answer !== null && !isBlank && (
            <span className={isLoading ? "old" : ""}>
              {fill(isLimitReached(wish, hits.length) ? words.foundAtLeast : words.found, {
                n: hits.length,
                ms: Math.max(1, Math.round(answer.tookMs)),
              })}
            </span>
          )}
          {answer?.mode === "full_text" && wish.q.trim() !== "" && (
            <span className="badge" title={visibleText(daemonText(answer.note ?? ""))}>
              {words.fullText}
            </span>
          )}
        </p>
        <ActiveFilters wish={wish} onChoose={choose} onClear={() => change({ filters: {} })} />
      </search>
      <Facets wish={wish} hits={hits} onChoose={choose} />
      <div className="found">
        {error !== null && (
          <p className="trouble" role="alert">
            {visibleText(error)}
          </p>
        )}
        {isBlank && <p className="muted start">{words.intro}</p>}
        {isBlank && hits.length > 0 && <h2>{words.newest}</h2>}
        {hits.length > 0 && (
          <HitList
            hits={hits}
            query={wish.q}
            open={wish.open}
            onOpen={(open) => change({ open })}
            onLeave={() => field.current?.focus()}
          />
        )}
        {hits.length === 0 && answer !== null && !isBlank && !isLoading && (
          <p className="nothing muted">
            {fill(words.nothing, { what: wish.q === "" ? words.filters : `“${visibleText(wish.q)}”` })}
          </p>
        )}
        {hasMore(wish, hits.length) && (
          <button type="button" className="button" onClick={() => change(withMore(wish))}>
            {words.more}
          </button>
        )}
      </div>
      {wish.open !== null && (
        <ItemPanel
          key={wish.open}
          id={wish.open}
          onClose={close}
          onOpen={(open) => change({ open })}
          onChanged={() => setRound(round + 1)}
        />
      )}
    </div>
  );
}
