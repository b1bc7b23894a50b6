import { claude } from "../../agents/claude/claude.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { removeWelcome, writeWelcome } from "../../memory/inject/welcome.ts";
import type { Base } from "../base.ts";

/** The message that greets the first session of all, once. */
export interface Welcome {
  /** Lays it ready for somebody who has no sessions yet. */
  begin(hasPast: boolean): void;
  told(events: readonly HooklineEvent[]): void;
}

export function openWelcome({ home, config }: Base, port: number | null): Welcome {
  /** Whether a first session is to be welcomed, and none has had its turn. */
  let isFirst = config.memory.notice;
  return {
    begin(hasPast) {
      isFirst &&= !hasPast;
      if (isFirst) writeWelcome(home, port ?? config.port, claude.answers);
      else removeWelcome(home);
    },
    told(events) {
      // Not at its start: the hook that prints the message runs beside the one that reports the start.
      if (!isFirst || !events.some(({ eventType }) => eventType.startsWith("turn."))) return;
      isFirst = false;
      removeWelcome(home);
    },
  };
}
