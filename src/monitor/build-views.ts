import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { WithSessionRows } from "../store/session-rows.ts";
import { foldEvent } from "./fold-event.ts";
import { createSessionView, type SessionView } from "./session-view.ts";
import type { WatchedSessions } from "./watched-sessions.ts";

/** Builds missing views from the recorded events of their sessions. */
export interface ViewBuilder {
  /**
   * Runs `act` with the views of all sessions that `missing` returns, in the same tick as its last call, so
   * nothing interleaves.
   */
  withViews<T>(
    missing: () => readonly string[],
    act: (made: ReadonlyMap<string, SessionView>) => T,
  ): Promise<T>;
  /** Wakes the sleeping sessions among those `wanted` returns, then runs `act` in the same tick. */
  wake<T>(wanted: () => readonly string[], act: () => T): Promise<T>;
  /** Recorded events were erased: events read before are read again. */
  noteErasure(): void;
  /** The number of erasures so far. */
  erasureCount(): number;
}

export function createViewBuilder(book: WatchedSessions, rows: WithSessionRows): ViewBuilder {
  let erasures = 0;

  const makeThen: ViewBuilder["withViews"] = async (missing, act) => {
    const made = new Map<string, SessionView>();
    for (;;) {
      const ids = missing().filter((sessionId) => !made.has(sessionId));
      if (ids.length === 0) return act(made);
      const before = erasures;
      // One at a time: the views of all sessions fit into memory, their events do not.
      for (const sessionId of ids)
        made.set(
          sessionId,
          foldSession(sessionId, await rows((store) => store.sessionFacts(sessionId)), book.prices),
        );
      if (erasures !== before) made.clear();
    }
  };

  return {
    withViews: makeThen,
    wake: (wanted, act) =>
      makeThen(
        () => wanted().filter(book.isAsleep),
        (made) => {
          for (const [sessionId, view] of made) book.wake(sessionId, view);
          return act();
        },
      ),
    noteErasure() {
      erasures++;
    },
    erasureCount: () => erasures,
  };
}

export function foldSession(
  sessionId: string,
  events: Iterable<HooklineEvent>,
  prices: UsageSource,
): SessionView {
  const view = createSessionView(sessionId, prices);
  for (const event of events) foldEvent(view, event);
  return view;
}
