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
  const { search: strings, pages } = useStrings();
  const { query } = useRoute();
  const params = useMemo(() => fromQuery(query), [query]);
  const [version, setVersion] = useState(0);
  // The current time is read only when the search changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` does not change what is searched
  const path = useMemo(
    () => toApiPath(params, Date.now()),
    [params.q, JSON.stringify(params.filters), params.limit],
  );
  const { answer, error, isLoading } = useSearch(path, version);
  const field = useRef<HTMLInputElement>(null);
  const update = (changes: Partial<SearchParams>): void => go(toHref({ ...params, ...changes }), "replace");
  const setFilter = (facet: Facet, value: string | null): void => {
    const { [facet]: _removed, ...others } = params.filters;
    update({ filters: value === null ? others : { ...others, [facet]: value }, open: null });
  };
  const close = (): void => {
    const { open } = params;
    update({ open: null });
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-hit="${open}"]`)?.focus());
  };
  const focusFirstHit = (): void => document.querySelector<HTMLElement>("button.hit")?.focus();
  const hits = answer?.hits ?? [];
  const isBlank = params.q.trim() === "" && Object.keys(params.filters).length === 0;
  return (
    <div className={`search-page ${params.open === null ? "" : "with-item"}`}>
      <h1 className="sr-only">{pages.search}</h1>
      <search className="search-head">
        <input
          ref={field}
          className="field"
          type="search"
          data-key="/"
          // biome-ignore lint/a11y/noAutofocus: users come here to type
          autoFocus={params.open === null}
          aria-label={strings.field}
          placeholder={strings.field}
          value={params.q}
          onChange={(event) => update({ q: event.target.value, open: null })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "ArrowDown" || event.key === "Enter") {
              event.preventDefault();
              focusFirstHit();
            }
          }}
        />
        <p className="muted result-count" role="status">
          {answer !== null && !isBlank && (
            <span className={isLoading ? "old" : ""}>
              {fill(isLimitReached(params, hits.length) ? strings.foundAtLeast : strings.found, {
                n: hits.length,
                ms: Math.max(1, Math.round(answer.tookMs)),
              })}
            </span>
          )}
          {answer?.mode === "full_text" && params.q.trim() !== "" && (
            <span className="badge" title={visibleText(daemonText(answer.note ?? ""))}>
              {strings.fullText}
            </span>
          )}
        </p>
        <ActiveFilters params={params} onSelect={setFilter} onClear={() => update({ filters: {} })} />
      </search>
      <Facets params={params} hits={hits} onSelect={setFilter} />
      <div className="found">
        {error !== null && (
          <p className="error-text" role="alert">
            {visibleText(error)}
          </p>
        )}
        {isBlank && <p className="muted start">{strings.intro}</p>}
        {isBlank && hits.length > 0 && <h2>{strings.newest}</h2>}
        {hits.length > 0 && (
          <HitList
            hits={hits}
            query={params.q}
            open={params.open}
            onOpen={(open) => update({ open })}
            onLeave={() => field.current?.focus()}
          />
        )}
        {hits.length === 0 && answer !== null && !isBlank && !isLoading && (
          <p className="nothing muted">
            {fill(strings.nothing, {
              what: params.q === "" ? strings.filters : `“${visibleText(params.q)}”`,
            })}
          </p>
        )}
        {hasMore(params, hits.length) && (
          <button type="button" className="button" onClick={() => update(withMore(params))}>
            {strings.more}
          </button>
        )}
      </div>
      {params.open !== null && (
        <ItemPanel
          key={params.open}
          id={params.open}
          onClose={close}
          onOpen={(open) => update({ open })}
          onChanged={() => setVersion(version + 1)}
        />
      )}
    </div>
  );
}
