import { claude } from "../../agents/claude/claude.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { removeWelcome, writeWelcome } from "../../memory/inject/welcome.ts";
import type { Base } from "../base.ts";

/** The message that welcomes the very first session, once. */
export interface Welcome {
  /** Prepares it for a user who has no sessions yet. */
  prepare(hasPast: boolean): void;
  onEvents(events: readonly HooklineEvent[]): void;
}

export function openWelcome({ home, config }: Base, port: number | null): Welcome {
  /** Whether a first session is to be welcomed and none has had a turn yet. */
  let isFirst = config.memory.notice;
  return {
    prepare(hasPast) {
      isFirst &&= !hasPast;
      if (isFirst) writeWelcome(home, port ?? config.port, claude.answers);
      else removeWelcome(home);
    },
    onEvents(events) {
      // Not at its start: the hook that prints the message runs beside the one that reports the start.
      if (!isFirst || !events.some(({ eventType }) => eventType.startsWith("turn."))) return;
      isFirst = false;
      removeWelcome(home);
    },
  };
}
