import { useEffect } from "react";
import type { SessionSnapshot, SessionsPage } from "../../serve/contract.ts";
import { get } from "../api/client.ts";
import { live } from "../api/live.ts";
import { createStore, useStore } from "../api/store.ts";

/** All sessions loaded so far; watched ones are as the stream reports them. */
export interface AllSessions {
  readonly sessions: ReadonlyMap<string, SessionSnapshot>;
  readonly isComplete: boolean;
  readonly error: string | null;
}

const allSessions = createStore<AllSessions>({ sessions: new Map(), isComplete: false, error: null });

const FIRST_PAGE_SIZE = 100;
const PAGE_SIZE = 500;
const FRESH_MS = 60_000;
/** Each render sorts everything, so batch pages and stream messages. */
const RENDER_MS = 250;
let readAtMs = 0;

export function useAllSessions(): AllSessions {
  useEffect(() => {
    const controller = new AbortController();
    if (Date.now() - readAtMs > FRESH_MS) void readAll(controller.signal);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mergeWatched = (): void => {
      timer = undefined;
      add(live.get().sessions.values());
    };
    mergeWatched();
    const unsubscribe = live.subscribe(() => {
      if (allSessions.get().sessions.size === 0) mergeWatched();
      else timer ??= setTimeout(mergeWatched, RENDER_MS);
    });
    return () => {
      controller.abort();
      unsubscribe();
      clearTimeout(timer);
    };
  }, []);
  return useStore(allSessions);
}

/** Page by page; the first is small, so that something appears immediately. */
async function readAll(signal: AbortSignal): Promise<void> {
  try {
    let after: string | null = null;
    let addedAtMs = 0;
    let batch: SessionSnapshot[] = [];
    do {
      const limit: number = after === null ? FIRST_PAGE_SIZE : PAGE_SIZE;
      const cursor: string = after === null ? "" : `&after=${encodeURIComponent(after)}`;
      const page: SessionsPage = await get<SessionsPage>(`/api/sessions?limit=${limit}${cursor}`, signal);
      batch.push(...page.sessions);
      after = page.next;
      if (after !== null && Date.now() - addedAtMs < RENDER_MS) continue;
      const watched = live.get().sessions;
      add(batch.filter(({ sessionId }) => !watched.has(sessionId)));
      batch = [];
      addedAtMs = Date.now();
    } while (after !== null);
    readAtMs = Date.now();
    allSessions.set({ ...allSessions.get(), isComplete: true, error: null });
  } catch (error) {
    if (!signal.aborted) allSessions.set({ ...allSessions.get(), error: (error as Error).message });
  }
}

function add(added: Iterable<SessionSnapshot>): void {
  const sessions = new Map(allSessions.get().sessions);
  let isChanged = false;
  for (const session of added) {
    if (sessions.get(session.sessionId) === session) continue;
    sessions.set(session.sessionId, session);
    isChanged = true;
  }
  if (isChanged) allSessions.set({ ...allSessions.get(), sessions });
}
