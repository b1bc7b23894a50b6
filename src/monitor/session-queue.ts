import type { HooklineEvent } from "../event/event.ts";
import type { ViewBuilder } from "./build-views.ts";
import type { SessionView } from "./session-view.ts";

/** Work to run with some events once the views it needs are available. */
export interface QueueStep {
  readonly events: readonly HooklineEvent[];
  /** Sessions whose views are needed and missing. */
  missingViews(events: readonly HooklineEvent[]): readonly string[];
  apply(events: readonly HooklineEvent[], built: ReadonlyMap<string, SessionView>): void;
}

/**
 * Runs steps in order. While no view is missing, a step runs synchronously within `add`; otherwise it runs
 * when its views are built, and later steps wait behind it.
 */
export interface SessionQueue {
  /**
   * Resolves when the step has run; rejects if its views cannot be read: then it is dropped without running.
   */
  add(step: QueueStep): Promise<void>;
  /** Removes these sessions from waiting steps. */
  forget(sessionIds: ReadonlySet<string>): void;
  /** Resolves when nothing is waiting. */
  idle(): Promise<void>;
}

interface WaitingStep {
  readonly step: QueueStep;
  events: readonly HooklineEvent[];
  readonly done: PromiseWithResolvers<void>;
}

const NO_VIEWS: ReadonlyMap<string, SessionView> = new Map();
const DONE = Promise.resolve();

export function createSessionQueue(views: Pick<ViewBuilder, "withViews">): SessionQueue {
  const waiting: WaitingStep[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const { step, done } = first;
      const current = first;
      await views
        .withViews(
          () => step.missingViews(current.events),
          (built) => step.apply(current.events, built),
        )
        .then(done.resolve, done.reject);
      waiting.shift();
    }
    running = null;
  };

  return {
    add(step) {
      if (running === null && step.missingViews(step.events).length === 0) {
        step.apply(step.events, NO_VIEWS);
        return DONE;
      }
      const done = Promise.withResolvers<void>();
      waiting.push({ step, events: step.events, done });
      running ??= run();
      return done.promise;
    },
    forget(sessionIds) {
      for (const queued of waiting)
        queued.events = queued.events.filter(({ sessionId }) => !sessionIds.has(sessionId));
    },
    async idle() {
      await running;
    },
  };
}
