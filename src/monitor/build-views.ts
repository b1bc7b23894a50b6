import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { WithSessionRows } from "../store/session-rows.ts";
import { foldEvent } from "./fold-event.ts";
import { createSessionView, type SessionView } from "./session-view.ts";
import type { WatchedSessions } from "./watched-sessions.ts";

/** Builds missing views from the recorded events of their sessions. */
export interface ViewBuilder {
  /**
   * Runs `action` with the views of all sessions that `missing` returns, in the same tick as the last call
   * of `missing`, so nothing interleaves.
   */
  withViews<T>(
    missing: () => readonly string[],
    action: (built: ReadonlyMap<string, SessionView>) => T,
  ): Promise<T>;
  /** Wakes the sleeping sessions among those that `wanted` returns, then runs `action` in the same tick. */
  wake<T>(wanted: () => readonly string[], action: () => T): Promise<T>;
  /** Call after recorded events were erased; events read earlier are read again. */
  noteErasure(): void;
  /** The number of erasures so far. */
  erasureCount(): number;
}

export function createViewBuilder(watched: WatchedSessions, rows: WithSessionRows): ViewBuilder {
  let erasures = 0;

  const withViews: ViewBuilder["withViews"] = async (missing, action) => {
    const built = new Map<string, SessionView>();
    for (;;) {
      const ids = missing().filter((sessionId) => !built.has(sessionId));
      if (ids.length === 0) return action(built);
      const erasuresBefore = erasures;
      // One at a time: all views fit into memory, all events do not.
      for (const sessionId of ids)
        built.set(
          sessionId,
          foldSession(sessionId, await rows((store) => store.sessionFacts(sessionId)), watched.prices),
        );
      if (erasures !== erasuresBefore) built.clear();
    }
  };

  return {
    withViews: withViews,
    wake: (wanted, action) =>
      withViews(
        () => wanted().filter(watched.isAsleep),
        (built) => {
          for (const [sessionId, view] of built) watched.wake(sessionId, view);
          return action();
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
