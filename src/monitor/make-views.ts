import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { AskSessionRows } from "../store/session-rows.ts";
import { foldEvent } from "./fold-event.ts";
import type { SessionBook } from "./session-book.ts";
import { createView, type SessionView } from "./session-view.ts";

/** Makes the views that a book is missing, from the recorded events of their sessions. */
export interface ViewMaker {
  /**
   * Runs `act` with the views of all sessions that `missing` names, in the same turn in which it last named them:
   * nothing comes between.
   */
  with<T>(missing: () => readonly string[], act: (made: ReadonlyMap<string, SessionView>) => T): Promise<T>;
  /** Wakes the sessions that `wanted` names and that are asleep, then runs `act` in the same turn. */
  wake<T>(wanted: () => readonly string[], act: () => T): Promise<T>;
  /** Recorded events were erased: what was read before is read again. */
  erased(): void;
  /** How often that was. */
  erasures(): number;
}

export function createViewMaker(book: SessionBook, rows: AskSessionRows): ViewMaker {
  let erasures = 0;

  const makeThen: ViewMaker["with"] = async (missing, act) => {
    const made = new Map<string, SessionView>();
    for (;;) {
      const ids = missing().filter((sessionId) => !made.has(sessionId));
      if (ids.length === 0) return act(made);
      const before = erasures;
      // One after the other: the events of all of them would not fit into memory, their views do.
      for (const sessionId of ids)
        made.set(
          sessionId,
          foldAll(sessionId, await rows((store) => store.sessionFacts(sessionId)), book.prices),
        );
      if (erasures !== before) made.clear();
    }
  };

  return {
    with: makeThen,
    wake: (wanted, act) =>
      makeThen(
        () => wanted().filter(book.isAsleep),
        (made) => {
          for (const [sessionId, view] of made) book.wake(sessionId, view);
          return act();
        },
      ),
    erased() {
      erasures++;
    },
    erasures: () => erasures,
  };
}

export function foldAll(
  sessionId: string,
  events: Iterable<HooklineEvent>,
  prices: UsageSource,
): SessionView {
  const view = createView(sessionId, prices);
  for (const event of events) foldEvent(view, event);
  return view;
}
