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

const all = createStore<AllSessions>({ sessions: new Map(), isComplete: false, error: null });

const FIRST_PAGE = 100;
const PAGE = 500;
const FRESH_MS = 60_000;
/** Each render sorts everything, so not at every page or stream message. */
const DRAW_MS = 250;
let readAtMs = 0;

export function useAllSessions(): AllSessions {
  useEffect(() => {
    const stop = new AbortController();
    if (Date.now() - readAtMs > FRESH_MS) void readAll(stop.signal);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const absorb = (): void => {
      timer = undefined;
      add(live.get().sessions.values());
    };
    absorb();
    const leave = live.subscribe(() => {
      if (all.get().sessions.size === 0) absorb();
      else timer ??= setTimeout(absorb, DRAW_MS);
    });
    return () => {
      stop.abort();
      leave();
      clearTimeout(timer);
    };
  }, []);
  return useStore(all);
}

/** Page by page; the first is small, so that something appears immediately. */
async function readAll(signal: AbortSignal): Promise<void> {
  try {
    let after: string | null = null;
    let drawnAtMs = 0;
    let read: SessionSnapshot[] = [];
    do {
      const limit: number = after === null ? FIRST_PAGE : PAGE;
      const place: string = after === null ? "" : `&after=${encodeURIComponent(after)}`;
      const page: SessionsPage = await get<SessionsPage>(`/api/sessions?limit=${limit}${place}`, signal);
      read.push(...page.sessions);
      after = page.next;
      if (after !== null && Date.now() - drawnAtMs < DRAW_MS) continue;
      const watched = live.get().sessions;
      add(read.filter(({ sessionId }) => !watched.has(sessionId)));
      read = [];
      drawnAtMs = Date.now();
    } while (after !== null);
    readAtMs = Date.now();
    all.set({ ...all.get(), isComplete: true, error: null });
  } catch (error) {
    if (!signal.aborted) all.set({ ...all.get(), error: (error as Error).message });
  }
}

function add(more: Iterable<SessionSnapshot>): void {
  const sessions = new Map(all.get().sessions);
  let isChanged = false;
  for (const session of more) {
    if (sessions.get(session.sessionId) === session) continue;
    sessions.set(session.sessionId, session);
    isChanged = true;
  }
  if (isChanged) all.set({ ...all.get(), sessions });
}
