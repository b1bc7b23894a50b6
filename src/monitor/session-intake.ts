import type { HooklineEvent } from "../event/event.ts";
import type { ViewMaker } from "./make-views.ts";
import type { SessionView } from "./session-view.ts";

/** What is done with some events as soon as the views that it needs are there. */
export interface IntakeStep {
  readonly events: readonly HooklineEvent[];
  /** Sessions whose views are needed and not there. */
  missing(events: readonly HooklineEvent[]): readonly string[];
  apply(events: readonly HooklineEvent[], made: ReadonlyMap<string, SessionView>): void;
}

/**
 * Runs steps in the order in which they are added. While no view is missing, a step runs at once, within `add`;
 * otherwise it runs when its views are made, and those added meanwhile wait behind it.
 */
export interface Intake {
  /** Resolves when the step has run, and rejects when its views cannot be read: then it has not run and is dropped. */
  add(step: IntakeStep): Promise<void>;
  /** Steps that still wait leave out these sessions. */
  forget(sessionIds: ReadonlySet<string>): void;
  /** When nothing waits. */
  idle(): Promise<void>;
}

interface Waiting {
  readonly step: IntakeStep;
  events: readonly HooklineEvent[];
  readonly done: PromiseWithResolvers<void>;
}

const NO_VIEWS: ReadonlyMap<string, SessionView> = new Map();
const DONE = Promise.resolve();

export function createIntake(views: Pick<ViewMaker, "with">): Intake {
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const { step, done } = first;
      const now = first;
      await views
        .with(
          () => step.missing(now.events),
          (made) => step.apply(now.events, made),
        )
        .then(done.resolve, done.reject);
      waiting.shift();
    }
    running = null;
  };

  return {
    add(step) {
      if (running === null && step.missing(step.events).length === 0) {
        step.apply(step.events, NO_VIEWS);
        return DONE;
      }
      const done = Promise.withResolvers<void>();
      waiting.push({ step, events: step.events, done });
      running ??= run();
      return done.promise;
    },
    forget(sessionIds) {
      for (const one of waiting)
        one.events = one.events.filter(({ sessionId }) => !sessionIds.has(sessionId));
    },
    async idle() {
      await running;
    },
  };
}
