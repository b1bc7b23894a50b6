import { useMemo } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { useFrozenOrder } from "../components/frozen-order.ts";
import { starred } from "../components/marks.ts";
import { UpdatesPill } from "../components/updates-pill.tsx";
import { formatInteger } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { useAllSessions } from "../sessions/all-sessions.ts";
import { FilterBar } from "../sessions/filter-bar.tsx";
import { NothingFound } from "../sessions/nothing-found.tsx";
import { SavedViews } from "../sessions/saved-views.tsx";
import {
  findSessions,
  fromQuery,
  isFiltered,
  type SessionFilter,
  toHref,
} from "../sessions/session-filter.ts";
import { SessionTable } from "../sessions/session-table.tsx";
import { go, useRoute } from "../shell/router.ts";
import { useShownSessions } from "../shell/shown-sessions.ts";
import "../styles/lists.css";
import "../sessions/sessions.css";

/** All sessions ever recorded. */
export function SessionsPage() {
  const strings = useStrings();
  const { query } = useRoute();
  const { sessions, isComplete, error } = useAllSessions();
  const { connection } = useStore(live);
  const stars = useStore(starred);
  const filter = useMemo(() => fromQuery(query), [query]);
  const all = useMemo(() => [...sessions.values()], [sessions]);
  const { found, counts } = useMemo(() => findSessions(all, filter, Date.now(), stars), [all, filter, stars]);
  const list = useFrozenOrder(found, {
    keyOf: ({ sessionId }) => sessionId,
    find: (id) => sessions.get(id),
    orderKey: toHref(filter),
  });
  useShownSessions(list.items);
  const updateFilter = (changes: Partial<SessionFilter>): void =>
    go(toHref({ ...filter, ...changes }), "replace");
  const isLoading = !isComplete && error === null;
  return (
    <div className="sessions-page">
      <header className="page-head">
        <h1>{strings.pages.sessions}</h1>
        <p className="muted" role="status">
          {isLoading
            ? fill(strings.sessions.loading, { n: all.length })
            : fill(strings.sessions.shown, {
                n: formatInteger(found.length),
                all: formatInteger(all.length),
              })}
        </p>
        <UpdatesPill updates={list.updates} onApply={list.apply} />
        <SavedViews href={toHref(filter)} canSave={isFiltered(filter) || filter.sort !== "last"} />
      </header>
      <FilterBar filter={filter} counts={counts} sessions={all} onChange={updateFilter} />
      {error !== null && (
        <p className="error-text" role="alert">
          {fill(strings.sessions.failed, { why: visibleText(error) })}
        </p>
      )}
      {list.items.length > 0 ? (
        <div className="panel" {...list.handlers}>
          <SessionTable
            sessions={list.items}
            sort={filter.sort}
            isAscending={filter.isAscending}
            onSort={(sort) =>
              updateFilter({ sort, isAscending: sort === filter.sort && !filter.isAscending })
            }
          />
        </div>
      ) : (
        !isLoading &&
        connection !== "connecting" && <NothingFound filter={filter} isEmpty={all.length === 0} />
      )}
    </div>
  );
}
