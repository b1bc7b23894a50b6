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
const PAGE_SIZE = 1_000;
/** A second source may update an earlier event, so this many at the end are read again. */
const TAIL_SIZE = 150;
const REFRESH_DELAY_MS = 350;
const LONG_REFRESH_DELAY_MS = 1_200;
const LONG_SESSION_EVENTS = 5_000;
/** The first page is small so it appears immediately; then redraw only when the count has grown by this factor. */
const FIRST_PAGE_SIZE = 200;
const REDRAW_FACTOR = 20;

/** All events of a session in order, rendered while they load and updated live. */
export function useEvents(sessionId: string): LoadedEvents {
  const [state, setState] = useState<LoadedEvents>(NO_EVENTS);
  useEffect(() => {
    setState(NO_EVENTS);
    return followEvents(sessionId, setState);
  }, [sessionId]);
  return state;
}

function followEvents(sessionId: string, onChange: (events: LoadedEvents) => void): () => void {
  const controller = new AbortController();
  const byId = new Map<string, SessionEvent>();
  const seqs: number[] = [];
  let isReading = false;
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownCount = 0;
  let hasFailed = false;

  const merge = (events: readonly SessionEvent[]): boolean => {
    let isChanged = false;
    for (const event of events) {
      const known = byId.get(event.id);
      if (known === undefined) seqs.push(event.seq);
      // Unchanged events stay the same objects, so that they are not rendered again.
      else if (JSON.stringify(known) === JSON.stringify(event)) continue;
      byId.set(event.id, event);
      isChanged = true;
    }
    return isChanged;
  };
  const publish = (isComplete: boolean, error: Error | null = null): void => {
    shownCount = byId.size;
    hasFailed = error !== null;
    onChange({ events: sortEvents(byId.values()), isComplete, error });
  };
  const read = async (): Promise<void> => {
    const isFirst = byId.size === 0;
    let after = isFirst ? 0 : (seqs.sort((a, b) => a - b).at(-TAIL_SIZE) ?? 1) - 1;
    let isChanged = false;
    for (let limit = isFirst ? FIRST_PAGE_SIZE : PAGE_SIZE; ; limit = PAGE_SIZE) {
      const query = new URLSearchParams({ session: sessionId, after: String(after), limit: String(limit) });
      const page = await get<EventsPage>(`/api/events?${query}`, controller.signal);
      isChanged = merge(page.events as unknown as SessionEvent[]) || isChanged;
      after = page.next;
      if (page.events.length < limit) break;
      if (isFirst && byId.size > shownCount * REDRAW_FACTOR) publish(false);
    }
    if (isChanged || isFirst || hasFailed) publish(true);
  };
  const refresh = async (): Promise<void> => {
    if (isReading) {
      isStale = true;
      return;
    }
    isReading = true;
    try {
      await read();
    } catch (error) {
      if (!controller.signal.aborted) publish(byId.size > 0, error as Error);
    } finally {
      isReading = false;
    }
    if (isStale && !controller.signal.aborted) {
      isStale = false;
      scheduleRefresh();
    }
  };
  const scheduleRefresh = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        void refresh();
      },
      byId.size > LONG_SESSION_EVENTS ? LONG_REFRESH_DELAY_MS : REFRESH_DELAY_MS,
    );
  };
  let lastSnapshot = live.get().sessions.get(sessionId);
  const unsubscribe = live.subscribe(() => {
    const snapshot = live.get().sessions.get(sessionId);
    if (snapshot === lastSnapshot) return;
    lastSnapshot = snapshot;
    scheduleRefresh();
  });
  void refresh();
  return () => {
    controller.abort();
    unsubscribe();
    clearTimeout(timer);
  };
}
