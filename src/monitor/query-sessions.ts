import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionRowQuery, WithSessionRows } from "../store/session-rows.ts";
import { foldEvent } from "./fold-event.ts";
import { createDetailFold } from "./read-detail.ts";
import { readSession } from "./read-session.ts";
import type { SessionDetail } from "./session-detail.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { parseSnapshot } from "./session-tracker.ts";
import { createSessionView } from "./session-view.ts";
import type { WatchedSessions } from "./watched-sessions.ts";

/** Filters for sessions, newest first. */
export interface SessionCriteria {
  readonly state?: readonly string[] | undefined;
  readonly needsPerson?: boolean | undefined;
  readonly project?: string | undefined;
  readonly provider?: string | undefined;
  readonly q?: string | undefined;
  readonly since?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface SessionListPage {
  readonly sessions: readonly SessionSnapshot[];
  readonly next: string | null;
}

/**
 * The watched sessions as they are now and the others as saved, in one order. `onWatched` gets the watched
 * ones in the tick in which they are read, so that it never reports an older state than already reported.
 */
export async function querySessions(
  watched: WatchedSessions,
  rows: WithSessionRows,
  criteria: SessionCriteria,
  onWatched: (snapshots: readonly SessionSnapshot[]) => void = () => undefined,
): Promise<SessionListPage> {
  const after = criteria.after === undefined ? undefined : fromCursor(criteria.after);
  const query: Omit<SessionRowQuery, "except"> = {
    states: criteria.state,
    needsPerson: criteria.needsPerson,
    project: criteria.project,
    provider: criteria.provider,
    search: criteria.q,
    sinceIso: criteria.since,
    after,
    limit: criteria.limit + 1,
  };
  const saved = (await savedRows(watched, rows, query))
    .map(parseSnapshot)
    // A session watched since the rows were read is added below.
    .filter((snapshot) => snapshot !== null && !watched.has(snapshot.sessionId)) as SessionSnapshot[];
  const current = watched.snapshots().filter((snapshot) => matchesQuery(snapshot, query));
  const found = [...current, ...saved].sort(byNewest);
  const sessions = found.slice(0, criteria.limit);
  onWatched(sessions.filter(({ sessionId }) => watched.has(sessionId)));
  const last = sessions.at(-1);
  return { sessions, next: found.length > criteria.limit && last !== undefined ? toCursor(last) : null };
}

/** Rows of all sessions except the watched ones. */
async function savedRows(
  watched: WatchedSessions,
  rows: WithSessionRows,
  query: Omit<SessionRowQuery, "except">,
): Promise<string[]> {
  for (;;) {
    const except = [...watched.ids()];
    const found = await rows((store) => store.sessionRows({ ...query, except }));
    // A session no longer watched would be missing: its row was excluded.
    if (except.every(watched.has)) return found;
  }
}

const FACTS_PER_PAGE = 600;

/**
 * Reads a session by its id or an id prefix. One with 20,000 events takes a while, so it yields between
 * pages.
 */
export async function querySession(
  watched: WatchedSessions,
  rows: WithSessionRows,
  idOrPrefix: string,
  nowMs: number,
): Promise<SessionDetail | { readonly ambiguous: readonly string[] } | undefined> {
  const ids = await findSessionIds(watched, rows, idOrPrefix);
  if (ids.length > 1) return { ambiguous: ids };
  const [sessionId] = ids;
  if (sessionId === undefined) return undefined;
  const detail = createDetailFold(watched.prices);
  // A sleeping view would be built from the same facts, all at once.
  const watchedView = watched.view(sessionId);
  const builtView = watchedView === undefined ? createSessionView(sessionId, watched.prices) : null;
  const seqs = await rows((store) => store.sessionSeqs(sessionId));
  for (let from = 0; from < seqs.length; from += FACTS_PER_PAGE) {
    if (from > 0) await nextTurn();
    const page = seqs.slice(from, from + FACTS_PER_PAGE);
    for (const event of await rows((store) => store.factsAt(page))) {
      detail.apply(event);
      if (builtView !== null) foldEvent(builtView, event);
    }
  }
  // Forgotten or dropped while its facts were read: what is left of it is in the store.
  if (watchedView !== undefined && !watched.has(sessionId))
    return querySession(watched, rows, sessionId, nowMs);
  const view = watched.view(sessionId) ?? watchedView ?? builtView;
  if (view === null || view.firstAt === "") return undefined;
  const quietMs = Math.max(0, nowMs - Date.parse(view.lastAt || view.firstAt));
  return detail.read(watched.snapshot(sessionId) ?? readSession(view, { nowMs, quietMs }), view);
}

const MAX_MATCHING_IDS = 10;

/** The session with that id, or all whose ids have that prefix. */
export async function findSessionIds(
  watched: WatchedSessions,
  rows: WithSessionRows,
  idOrPrefix: string,
): Promise<string[]> {
  const ids = new Set(await rows((store) => store.sessionIds(idOrPrefix, MAX_MATCHING_IDS)));
  // A session known only from the agent's registry has no row yet.
  for (const id of watched.ids()) if (id.startsWith(idOrPrefix)) ids.add(id);
  if (ids.has(idOrPrefix)) return [idOrPrefix];
  return idOrPrefix.length < 4 ? [] : [...ids].sort();
}

function matchesQuery(snapshot: SessionSnapshot, query: Omit<SessionRowQuery, "except">): boolean {
  const { states, needsPerson, project, provider, search, sinceIso, after } = query;
  if (states !== undefined && !states.includes(snapshot.state)) return false;
  if (needsPerson !== undefined && snapshot.needsPerson !== needsPerson) return false;
  if (provider !== undefined && snapshot.provider !== provider) return false;
  if (
    project !== undefined &&
    snapshot.projectPath !== project &&
    !snapshot.projectPath?.endsWith(`/${project}`)
  )
    return false;
  if (sinceIso !== undefined && snapshot.lastEventAtIso < sinceIso) return false;
  if (after !== undefined && byNewest(snapshot, after) <= 0) return false;
  if (search === undefined) return true;
  const texts = [snapshot.title, snapshot.lastUserMessage, snapshot.projectPath, snapshot.gitBranch];
  return texts.filter(Boolean).join("\n").toLowerCase().includes(search.toLowerCase());
}

interface ListPosition {
  readonly lastEventAtIso: string;
  readonly sessionId: string;
}

function byNewest(a: ListPosition, b: ListPosition | { lastEventIso: string; sessionId: string }): number {
  const time = "lastEventIso" in b ? b.lastEventIso : b.lastEventAtIso;
  if (a.lastEventAtIso !== time) return a.lastEventAtIso < time ? 1 : -1;
  return a.sessionId < b.sessionId ? 1 : a.sessionId > b.sessionId ? -1 : 0;
}

function toCursor({ lastEventAtIso, sessionId }: ListPosition): string {
  return Buffer.from(`${lastEventAtIso} ${sessionId}`).toString("base64url");
}

/** A malformed cursor sorts after everything, so that the page is empty. */
function fromCursor(cursor: string): { lastEventIso: string; sessionId: string } {
  const match = /^(\d{4}-\S+) (.+)$/s.exec(Buffer.from(cursor, "base64url").toString());
  return { lastEventIso: match?.[1] ?? "", sessionId: match?.[2] ?? "" };
}
