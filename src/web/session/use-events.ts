import { useEffect, useState } from "react";
import type { EventsPage } from "../../serve/contract.ts";
import { get } from "../api/client.ts";
import { live } from "../api/live.ts";
import { type SessionEvent, sortEvents } from "./session-event.ts";

export interface LoadedEvents {
  readonly events: readonly SessionEvent[];
  /** Whether all existing events are loaded. */
  readonly isComplete: boolean;
  readonly error: Error | null;
}

const NO_EVENTS: LoadedEvents = { events: [], isComplete: false, error: null };
const PAGE = 1_000;
/** An event updated by a second source keeps its position, so this many at the end are read again. */
const TAIL = 150;
const PAUSE_MS = 350;
const LONG_PAUSE_MS = 1_200;
const LONG = 5_000;
/** The first page is small, to appear immediately; the rest is drawn each time there is much more. */
const FIRST_PAGE = 200;
const MUCH_MORE = 20;

/** All events of a session in order: the first immediately, the rest as they load, and new ones live. */
export function useEvents(sessionId: string): LoadedEvents {
  const [state, setState] = useState<LoadedEvents>(NO_EVENTS);
  useEffect(() => {
    setState(NO_EVENTS);
    return followEvents(sessionId, setState);
  }, [sessionId]);
  return state;
}

function followEvents(sessionId: string, show: (events: LoadedEvents) => void): () => void {
  const stop = new AbortController();
  const book = new Map<string, SessionEvent>();
  const seqs: number[] = [];
  let isReading = false;
  let again = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = 0;
  let isFailed = false;

  const take = (events: readonly SessionEvent[]): boolean => {
    let isChanged = false;
    for (const event of events) {
      const known = book.get(event.id);
      if (known === undefined) seqs.push(event.seq);
      // Unchanged events stay the same objects, so that they are not rendered again.
      else if (JSON.stringify(known) === JSON.stringify(event)) continue;
      book.set(event.id, event);
      isChanged = true;
    }
    return isChanged;
  };
  const tell = (isComplete: boolean, error: Error | null = null): void => {
    shown = book.size;
    isFailed = error !== null;
    show({ events: sortEvents(book.values()), isComplete, error });
  };
  const read = async (): Promise<void> => {
    const isFirst = book.size === 0;
    let after = isFirst ? 0 : (seqs.sort((a, b) => a - b).at(-TAIL) ?? 1) - 1;
    let isChanged = false;
    for (let limit = isFirst ? FIRST_PAGE : PAGE; ; limit = PAGE) {
      const query = new URLSearchParams({ session: sessionId, after: String(after), limit: String(limit) });
      const page = await get<EventsPage>(`/api/events?${query}`, stop.signal);
      isChanged = take(page.events as unknown as SessionEvent[]) || isChanged;
      after = page.next;
      if (page.events.length < limit) break;
      if (isFirst && book.size > shown * MUCH_MORE) tell(false);
    }
    if (isChanged || isFirst || isFailed) tell(true);
  };
  const refresh = async (): Promise<void> => {
    if (isReading) {
      again = true;
      return;
    }
    isReading = true;
    try {
      await read();
    } catch (error) {
      if (!stop.signal.aborted) tell(book.size > 0, error as Error);
    } finally {
      isReading = false;
    }
    if (again && !stop.signal.aborted) {
      again = false;
      soon();
    }
  };
  const soon = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        void refresh();
      },
      book.size > LONG ? LONG_PAUSE_MS : PAUSE_MS,
    );
  };
  let seen = live.get().sessions.get(sessionId);
  const unsubscribe = live.subscribe(() => {
    const now = live.get().sessions.get(sessionId);
    if (now === seen) return;
    seen = now;
    soon();
  });
  void refresh();
  return () => {
    stop.abort();
    unsubscribe();
    clearTimeout(timer);
  };
}
