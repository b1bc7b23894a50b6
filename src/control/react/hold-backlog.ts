import type { HooklineEvent } from "../../event/event.ts";

/** Holds what comes while long work makes much be told, and gives it back when that is done. */
export interface HeldBacklog {
  hold(events: readonly HooklineEvent[]): void;
}

export interface HeldBacklogOptions {
  readonly isBacklog: () => boolean;
  readonly max: number;
  readonly onOver: (events: readonly HooklineEvent[]) => void;
  readonly onFull: () => void;
  readonly signal: AbortSignal;
}

const AGAIN_MS = 250;

export function createHeldBacklog(options: HeldBacklogOptions): HeldBacklog {
  const { isBacklog, max, onOver, onFull, signal } = options;
  let held: HooklineEvent[] = [];
  const lookAgain = (): void => {
    setTimeout(() => {
      if (!signal.aborted && isBacklog()) return lookAgain();
      const events = held;
      held = [];
      onOver(events);
    }, AGAIN_MS).unref();
  };
  return {
    hold(events) {
      if (held.length === 0) lookAgain();
      const room = events.slice(0, max - held.length);
      if (room.length < events.length) onFull();
      held.push(...room);
    },
  };
}
