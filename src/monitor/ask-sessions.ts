import { setImmediate as nextTurn } from "node:timers/promises";
import type { AskSessionRows, SessionRowQuery } from "../store/session-rows.ts";
import { foldEvent } from "./fold-event.ts";
import { fromRow } from "./keep-sessions.ts";
import { createDetail } from "./read-detail.ts";
import { readSession } from "./read-session.ts";
import type { SessionBook } from "./session-book.ts";
import type { SessionDetail } from "./session-detail.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { createView } from "./session-view.ts";

/** Which sessions, the newest first. */
export interface SessionsAsked {
  readonly state?: readonly string[] | undefined;
  readonly needsPerson?: boolean | undefined;
  readonly project?: string | undefined;
  readonly provider?: string | undefined;
  readonly q?: string | undefined;
  readonly since?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface SessionsFound {
  readonly sessions: readonly SessionSnapshot[];
  readonly next: string | null;
}

/**
 * The watched sessions as they are now, and the others as they were saved, in one order. `onWatched` is called with the
 * watched ones of the answer in the turn in which they are read: what it reports cannot be older than what was reported.
 */
export async function askSessions(
  book: SessionBook,
  rows: AskSessionRows,
  asked: SessionsAsked,
  onWatched: (snapshots: readonly SessionSnapshot[]) => void = () => undefined,
): Promise<SessionsFound> {
  const after = asked.after === undefined ? undefined : fromCursor(asked.after);
  const query: Omit<SessionRowQuery, "except"> = {
    states: asked.state,
    needsPerson: asked.needsPerson,
    project: asked.project,
    provider: asked.provider,
    search: asked.q,
    sinceIso: asked.since,
    after,
    limit: asked.limit + 1,
  };
  const saved = (await savedRows(book, rows, query))
    .map(fromRow)
    // One that is watched since the rows were asked for is below.
    .filter((snapshot) => snapshot !== null && !book.has(snapshot.sessionId)) as SessionSnapshot[];
  const watched = book.snapshots().filter((snapshot) => fits(snapshot, query));
  const found = [...watched, ...saved].sort(byNewest);
  const sessions = found.slice(0, asked.limit);
  onWatched(sessions.filter(({ sessionId }) => book.has(sessionId)));
  const last = sessions.at(-1);
  return { sessions, next: found.length > asked.limit && last !== undefined ? toCursor(last) : null };
}

/** Rows of all sessions but the watched ones. */
async function savedRows(
  book: SessionBook,
  rows: AskSessionRows,
  query: Omit<SessionRowQuery, "except">,
): Promise<string[]> {
  for (;;) {
    const except = [...book.ids()];
    const found = await rows((store) => store.sessionRows({ ...query, except }));
    // One that is no longer watched would be missing: its row was left out.
    if (except.every(book.has)) return found;
  }
}

const FACTS_AT_ONCE = 600;

/**
 * A session by its id, or by the beginning of it. Of one with 20,000 events it takes a while: between parts of it
 * others have their turn.
 */
export async function askSession(
  book: SessionBook,
  rows: AskSessionRows,
  idOrPrefix: string,
  nowMs: number,
): Promise<SessionDetail | { readonly ambiguous: readonly string[] } | undefined> {
  const ids = await findIds(book, rows, idOrPrefix);
  if (ids.length > 1) return { ambiguous: ids };
  const [sessionId] = ids;
  if (sessionId === undefined) return undefined;
  const detail = createDetail(book.prices);
  // A view that sleeps would be made of the same facts, all at once.
  const known = book.view(sessionId);
  const own = known === undefined ? createView(sessionId, book.prices) : null;
  const seqs = await rows((store) => store.sessionSeqs(sessionId));
  for (let from = 0; from < seqs.length; from += FACTS_AT_ONCE) {
    if (from > 0) await nextTurn();
    const part = seqs.slice(from, from + FACTS_AT_ONCE);
    for (const event of await rows((store) => store.factsAt(part))) {
      detail.tell(event);
      if (own !== null) foldEvent(own, event);
    }
  }
  // Forgotten or let go while its facts were read: what is left of it is in the store.
  if (known !== undefined && !book.has(sessionId)) return askSession(book, rows, sessionId, nowMs);
  const view = book.view(sessionId) ?? known ?? own;
  if (view === null || view.firstAt === "") return undefined;
  const quietMs = Math.max(0, nowMs - Date.parse(view.lastAt || view.firstAt));
  return detail.read(book.snapshot(sessionId) ?? readSession(view, { nowMs, quietMs }), view);
}

const MOST_NAMED = 10;

/** Which sessions are meant: the one of that id, or all whose ids begin so. */
export async function findIds(
  book: SessionBook,
  rows: AskSessionRows,
  idOrPrefix: string,
): Promise<string[]> {
  const ids = new Set(await rows((store) => store.sessionIds(idOrPrefix, MOST_NAMED)));
  // A session that only the agent's registry tells of has no row yet.
  for (const id of book.ids()) if (id.startsWith(idOrPrefix)) ids.add(id);
  if (ids.has(idOrPrefix)) return [idOrPrefix];
  return idOrPrefix.length < 4 ? [] : [...ids].sort();
}

function fits(snapshot: SessionSnapshot, query: Omit<SessionRowQuery, "except">): boolean {
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
  const words = [snapshot.title, snapshot.lastUserMessage, snapshot.projectPath, snapshot.gitBranch];
  return words.filter(Boolean).join("\n").toLowerCase().includes(search.toLowerCase());
}

interface Place {
  readonly lastEventAtIso: string;
  readonly sessionId: string;
}

function byNewest(a: Place, b: Place | { lastEventIso: string; sessionId: string }): number {
  const time = "lastEventIso" in b ? b.lastEventIso : b.lastEventAtIso;
  if (a.lastEventAtIso !== time) return a.lastEventAtIso < time ? 1 : -1;
  return a.sessionId < b.sessionId ? 1 : a.sessionId > b.sessionId ? -1 : 0;
}

function toCursor({ lastEventAtIso, sessionId }: Place): string {
  return Buffer.from(`${lastEventAtIso} ${sessionId}`).toString("base64url");
}

/** One that we did not write begins after everything: nothing follows it. */
function fromCursor(cursor: string): { lastEventIso: string; sessionId: string } {
  const place = /^(\d{4}-\S+) (.+)$/s.exec(Buffer.from(cursor, "base64url").toString());
  return { lastEventIso: place?.[1] ?? "", sessionId: place?.[2] ?? "" };
}
