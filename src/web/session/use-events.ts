import { useEffect, useState } from "react";
import type { EventsPage } from "../../serve/contract.ts";
import { get } from "../api/client.ts";
import { live } from "../api/live.ts";
import { inOrder, type SessionEvent } from "./session-event.ts";

export interface Events {
  readonly events: readonly SessionEvent[];
  /** Whether all there were have come. */
  readonly isWhole: boolean;
  readonly error: Error | null;
}

const NOTHING: Events = { events: [], isWhole: false, error: null };
const PAGE = 1_000;
/** An event that a second source adds to keeps its place: so much of the end is read again. */
const TAIL = 150;
const PAUSE_MS = 350;
const LONG_PAUSE_MS = 1_200;
const LONG = 5_000;
/** The first are few, so that they are there at once; then all is read and drawn again each time there is much more. */
const FIRST_PAGE = 200;
const MUCH_MORE = 20;

/** Every event of a session in order: the first at once, the rest as they come, and what is new while it lives. */
export function useEvents(sessionId: string): Events {
  const [state, setState] = useState<Events>(NOTHING);
  useEffect(() => {
    setState(NOTHING);
    return followEvents(sessionId, setState);
  }, [sessionId]);
  return state;
}

function followEvents(sessionId: string, show: (events: Events) => void): () => void {
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
      // What is the same stays the same object, so that nothing is drawn again for it.
      else if (JSON.stringify(known) === JSON.stringify(event)) continue;
      book.set(event.id, event);
      isChanged = true;
    }
    return isChanged;
  };
  const tell = (isWhole: boolean, error: Error | null = null): void => {
    shown = book.size;
    isFailed = error !== null;
    show({ events: inOrder(book.values()), isWhole, error });
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
