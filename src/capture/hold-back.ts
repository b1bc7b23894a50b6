import type { HooklineEvent } from "../event/event.ts";

export interface HoldBackOptions {
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  /** Of these events, those that the database has from their own hooks, with all that a transcript could add. */
  readonly isTold: (events: readonly HooklineEvent[]) => Promise<ReadonlySet<string>>;
  readonly onAppended: () => Promise<unknown>;
  readonly onTrouble: (error: unknown) => void;
  readonly holdMs?: number;
}

export interface HoldBack {
  append(events: readonly HooklineEvent[]): Promise<void>;
  /** Runs when all that was appended before is in the log, or need not be. */
  after(act: () => Promise<void>): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface Held {
  readonly events: readonly HooklineEvent[];
  readonly dueMs: number;
  readonly acts: (() => Promise<void>)[];
}

/** What hooks tell as well. */
const HOOK_TOLD = new Set([
  "turn.start",
  "tool.start",
  "tool_observation",
  "skill.lifecycle",
  "subagent.lifecycle",
]);

const HOLD_MS = 1_000;

/**
 * A live transcript tells nearly everything again that hooks have told. It waits a moment, and what hooks have told by
 * then is not logged a second time: the log would be twice as long, and its readers would meet each skill twice.
 */
export function holdBack(options: HoldBackOptions): HoldBack {
  const held: Held[] = [];
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
      const due = held.filter(({ dueMs }) => dueMs <= untilMs);
      if (due.length > 0) {
        try {
          const events = due.flatMap((one) => one.events);
          const told = await options.isTold(events);
          const rest = events.filter(({ id }) => !told.has(id));
          if (rest.length > 0) await options.append(rest);
          held.splice(0, due.length);
          await Promise.all(due.flatMap(({ acts }) => acts.map((act) => act())));
          if (rest.length > 0) await options.onAppended();
        } catch (error) {
          // They are still held, and the place in their file is not saved: nothing is lost.
          options.onTrouble(error);
          for (const [at, one] of held.entries())
            if (one.dueMs <= untilMs)
              held[at] = { ...one, dueMs: performance.now() + (options.holdMs ?? HOLD_MS) };
        }
      }
      schedule();
    });
    return releasing;
  };

  return {
    async append(events) {
      const late = events.filter(({ eventType }) => HOOK_TOLD.has(eventType));
      if (late.length > 0) {
        held.push({ events: late, dueMs: performance.now() + (options.holdMs ?? HOLD_MS), acts: [] });
        schedule();
      }
      const now = events.filter(({ eventType }) => !HOOK_TOLD.has(eventType));
      if (now.length > 0) await options.append(now);
    },
    async after(act) {
      const last = held.at(-1);
      if (last !== undefined) last.acts.push(act);
      else {
        // What was held a moment ago is done first: it may save an earlier place of the same file.
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
