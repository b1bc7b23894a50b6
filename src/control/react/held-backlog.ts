import type { HooklineEvent } from "../../event/event.ts";

/** Holds events during long work that emits many, and releases them afterwards. */
export interface HeldBacklog {
  hold(events: readonly HooklineEvent[]): void;
  /** Resolves when nothing is held. */
  released(): Promise<void>;
}

export interface HeldBacklogOptions {
  readonly isBacklog: () => boolean;
  readonly max: number;
  readonly onRelease: (events: readonly HooklineEvent[]) => void;
  readonly onFull: () => void;
  readonly signal: AbortSignal;
}

const CHECK_MS = 250;

export function createHeldBacklog(options: HeldBacklogOptions): HeldBacklog {
  const { isBacklog, max, onRelease, onFull, signal } = options;
  let held: HooklineEvent[] = [];
  let release = Promise.withResolvers<void>();
  release.resolve();
  const scheduleCheck = (): void => {
    setTimeout(() => {
      if (!signal.aborted && isBacklog()) return scheduleCheck();
      const events = held;
      held = [];
      onRelease(events);
      release.resolve();
    }, CHECK_MS).unref();
  };
  return {
    hold(events) {
      if (held.length === 0) {
        release = Promise.withResolvers();
        scheduleCheck();
      }
      const accepted = events.slice(0, max - held.length);
      if (accepted.length < events.length) onFull();
      held.push(...accepted);
    },
    released: () => release.promise,
  };
}
