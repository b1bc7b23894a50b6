import { useMemo } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { useFrozenOrder } from "../parts/frozen-order.ts";
import { starred } from "../parts/marks.ts";
import { UpdatesPill } from "../parts/updates-pill.tsx";
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
import { go, usePlace } from "../shell/router.ts";
import { useShown } from "../shell/shown-sessions.ts";
import { whole } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import "../look/lists.css";
import "../sessions/sessions.css";

/** Every session there was. */
export function SessionsPage() {
  const words = useWords();
  const { query } = usePlace();
  const { sessions, isWhole, error } = useAllSessions();
  const { connection } = useStore(live);
  const stars = useStore(starred);
  const filter = useMemo(() => fromQuery(query), [query]);
  const all = useMemo(() => [...sessions.values()], [sessions]);
  const { found, counts } = useMemo(() => findSessions(all, filter, Date.now(), stars), [all, filter, stars]);
  const list = useFrozenOrder(found, {
    keyOf: ({ sessionId }) => sessionId,
    find: (id) => sessions.get(id),
    wish: toHref(filter),
  });
  useShown(list.items);
  const change = (part: Partial<SessionFilter>): void => go(toHref({ ...filter, ...part }), "replace");
  const isAsking = !isWhole && error === null;
  return (
    <div className="sessions-page">
      <header className="page-head">
        <h1>{words.pages.sessions}</h1>
        <p className="muted" role="status">
          {isAsking
            ? fill(words.sessions.loading, { n: all.length })
            : fill(words.sessions.shown, {
                n: whole(found.length),
                all: whole(all.length),
              })}
        </p>
        <UpdatesPill updates={list.updates} onApply={list.apply} />
        <SavedViews href={toHref(filter)} canSave={isFiltered(filter) || filter.sort !== "last"} />
      </header>
      <FilterBar filter={filter} counts={counts} sessions={all} onChange={change} />
      {error !== null && (
        <p className="trouble" role="alert">
          {fill(words.sessions.failed, { why: visibleText(error) })}
        </p>
      )}
      {list.items.length > 0 ? (
        <div className="panel" {...list.holders}>
          <SessionTable
            sessions={list.items}
            sort={filter.sort}
            isUp={filter.isUp}
            onSort={(sort) => change({ sort, isUp: sort === filter.sort && !filter.isUp })}
          />
        </div>
      ) : (
        !isAsking &&
        connection !== "connecting" && <NothingFound filter={filter} isEmpty={all.length === 0} />
      )}
    </div>
  );
}
