import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import { isSameCall } from "./same-call.ts";

interface Denial {
  readonly card: Card;
  readonly promptId: string | null;
  readonly input: string;
}

/**
 * Denials that came too late. A Yes in the terminal is known here about 150 ms later; a denial in that window
 * is accepted here and ignored there. A call that ran reveals it.
 */
export interface Denials {
  add(denial: Denial): void;
  /** The denial that, according to an event, was ignored. */
  overruledBy(event: HooklineEvent): Denial | undefined;
}

const MAX_DENIALS = 50;

export function createDenials(): Denials {
  const denials = new Map<Denial, Set<string>>();
  return {
    add(denial) {
      const [oldest] = denials.keys();
      if (denials.size >= MAX_DENIALS && oldest !== undefined) denials.delete(oldest);
      denials.set(denial, new Set());
    },
    overruledBy(event) {
      for (const [denial, laterCalls] of denials) {
        const { card, input } = denial;
        if (event.occurredAtIso < card.sinceIso || !isSameCall(card, input, event)) continue;
        const callId = event.toolUseId ?? "";
        // The same call again, started after the denial: a separate call.
        if (event.eventType === "tool.start" && event.occurredAtIso > card.settled!.atIso)
          laterCalls.add(callId);
        // A batch also lists calls that did not run.
        const hasRun = event.eventType === "tool_observation" && event.origin === "hook";
        if (!hasRun || laterCalls.has(callId)) continue;
        denials.delete(denial);
        return denial;
      }
      return undefined;
    },
  };
}
