import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionRowQuery, SessionRows } from "../store/session-rows.ts";
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

type AskRows = <T>(work: (rows: SessionRows) => T) => T;

/** The watched sessions as they are now, and the others as they were saved, in one order. */
export function askSessions(book: SessionBook, rows: AskRows, asked: SessionsAsked): SessionsFound {
  const after = asked.after === undefined ? undefined : fromCursor(asked.after);
  const query: SessionRowQuery = {
    states: asked.state,
    needsPerson: asked.needsPerson,
    project: asked.project,
    provider: asked.provider,
    search: asked.q,
    sinceIso: asked.since,
    after,
    except: [...book.ids()],
    limit: asked.limit + 1,
  };
  const saved = rows((store) => store.sessionRows(query))
    .map(fromRow)
    .filter((snapshot) => snapshot !== null);
  const watched = book.snapshots().filter((snapshot) => fits(snapshot, query));
  const found = [...watched, ...saved].sort(byNewest);
  const sessions = found.slice(0, asked.limit);
  const last = sessions.at(-1);
  return { sessions, next: found.length > asked.limit && last !== undefined ? toCursor(last) : null };
}

const FACTS_AT_ONCE = 600;

/**
 * A session by its id, or by the beginning of it. Of one with 20,000 events it takes a while: between parts of it
 * others have their turn.
 */
export async function askSession(
  book: SessionBook,
  rows: AskRows,
  idOrPrefix: string,
  nowMs: number,
): Promise<SessionDetail | { readonly ambiguous: readonly string[] } | undefined> {
  const ids = findIds(book, rows, idOrPrefix);
  if (ids.length > 1) return { ambiguous: ids };
  const [sessionId] = ids;
  if (sessionId === undefined) return undefined;
  const detail = createDetail(book.prices);
  // A view that sleeps would be made of the same facts, all at once.
  const own = book.has(sessionId) && !book.isAsleep(sessionId) ? null : createView(sessionId, book.prices);
  const seqs = rows((store) => store.sessionSeqs(sessionId));
  for (let from = 0; from < seqs.length; from += FACTS_AT_ONCE) {
    if (from > 0) await nextTurn();
    for (const event of rows((store) => store.factsAt(seqs.slice(from, from + FACTS_AT_ONCE)))) {
      detail.tell(event);
      if (own !== null) foldEvent(own, event);
    }
  }
  const view = own ?? book.view(sessionId);
  if (view === undefined || view.firstAt === "") return undefined;
  const quietMs = Math.max(0, nowMs - Date.parse(view.lastAt || view.firstAt));
  return detail.read(book.snapshot(sessionId) ?? readSession(view, { nowMs, quietMs }), view);
}

const MOST_NAMED = 10;

/** Which sessions are meant: the one of that id, or all whose ids begin so. */
export function findIds(book: SessionBook, rows: AskRows, idOrPrefix: string): string[] {
  const ids = new Set(rows((store) => store.sessionIds(idOrPrefix, MOST_NAMED)));
  // A session that only the agent's registry tells of has no row yet.
  for (const id of book.ids()) if (id.startsWith(idOrPrefix)) ids.add(id);
  if (ids.has(idOrPrefix)) return [idOrPrefix];
  return idOrPrefix.length < 4 ? [] : [...ids].sort();
}

function fits(snapshot: SessionSnapshot, query: SessionRowQuery): boolean {
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
