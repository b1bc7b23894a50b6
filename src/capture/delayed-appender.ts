import type { HooklineEvent } from "../event/event.ts";

export interface DelayedAppenderOptions {
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  /** Which of these events the database already has from hooks, with everything a transcript could add. */
  readonly findReported: (events: readonly HooklineEvent[]) => Promise<ReadonlySet<string>>;
  readonly onAppended: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  readonly delayMs?: number;
}

export interface DelayedAppender {
  append(events: readonly HooklineEvent[]): Promise<void>;
  /** Runs `act` once everything appended before is in the log, or found redundant. */
  after(act: () => Promise<void>): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface DelayedBatch {
  readonly events: readonly HooklineEvent[];
  readonly dueMs: number;
  readonly acts: (() => Promise<void>)[];
}

/** The events that hooks report too. */
const HOOK_EVENT_TYPES = new Set([
  "turn.start",
  "tool.start",
  "tool_observation",
  "skill.lifecycle",
  "subagent.lifecycle",
]);

const DELAY_MS = 1_000;

/**
 * A live transcript repeats nearly everything that hooks report. Its events wait a moment, and those reported
 * by then are dropped: the log would be twice as long, and readers would see each skill twice.
 */
export function openDelayedAppender(options: DelayedAppenderOptions): DelayedAppender {
  const held: DelayedBatch[] = [];
  let timer: NodeJS.Timeout | null = null;
  let releasing: Promise<void> = Promise.resolve();

  const schedule = (): void => {
    const first = held[0];
    if (timer !== null || first === undefined) return;
    timer = setTimeout(
      () => {
        timer = null;
        void release(performance.now());
      },
      Math.max(0, first.dueMs - performance.now()),
    ).unref();
  };

  const release = (untilMs: number): Promise<void> => {
    releasing = releasing.then(async () => {
      // A retried batch may be due after a newer one, which waits for it: files are read in order.
      const firstNotDue = held.findIndex(({ dueMs }) => dueMs > untilMs);
      const due = held.slice(0, firstNotDue === -1 ? held.length : firstNotDue);
      if (due.length > 0) {
        try {
          const events = due.flatMap((batch) => batch.events);
          const reported = await options.findReported(events);
          const unreported = events.filter(({ id }) => !reported.has(id));
          if (unreported.length > 0) await options.append(unreported);
          held.splice(0, due.length);
          await Promise.all(due.flatMap(({ acts }) => acts.map((act) => act())));
          if (unreported.length > 0) await options.onAppended();
        } catch (error) {
          // The events are still held, and the position in their file is not saved: nothing is lost.
          options.onError(error);
          for (const [at, batch] of held.entries())
            if (batch.dueMs <= untilMs)
              held[at] = { ...batch, dueMs: performance.now() + (options.delayMs ?? DELAY_MS) };
        }
      }
      schedule();
    });
    return releasing;
  };

  return {
    async append(events) {
      const delayed = events.filter(({ eventType }) => HOOK_EVENT_TYPES.has(eventType));
      if (delayed.length > 0) {
        held.push({ events: delayed, dueMs: performance.now() + (options.delayMs ?? DELAY_MS), acts: [] });
        schedule();
      }
      const immediate = events.filter(({ eventType }) => !HOOK_EVENT_TYPES.has(eventType));
      if (immediate.length > 0) await options.append(immediate);
    },
    async after(act) {
      const last = held.at(-1);
      if (last !== undefined) last.acts.push(act);
      else {
        // Finishes earlier releases first: they may save an earlier position of the same file.
        await releasing;
        await act();
      }
    },
    flush: () => release(Number.POSITIVE_INFINITY),
    async close() {
      clearTimeout(timer ?? undefined);
      await release(Number.POSITIVE_INFINITY);
      clearTimeout(timer ?? undefined);
    },
  };
}
