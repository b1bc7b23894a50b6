import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import { isSameCall } from "./same-call.ts";

interface Denied {
  readonly card: Card;
  readonly promptId: string | null;
  readonly input: string;
}

/**
 * Denials that came too late. A Yes in the terminal is known here about 150 ms later; a denial in that window
 * is accepted here and ignored there. A call that ran reveals it.
 */
export interface Denials {
  add(denied: Denied): void;
  /** The denial that, according to an event, was ignored. */
  overruledBy(event: HooklineEvent): Denied | undefined;
}

const MAX_DENIALS = 50;

export function createDenials(): Denials {
  const denials = new Map<Denied, Set<string>>();
  return {
    add(denied) {
      const [oldest] = denials.keys();
      if (denials.size >= MAX_DENIALS && oldest !== undefined) denials.delete(oldest);
      denials.set(denied, new Set());
    },
    overruledBy(event) {
      for (const [denied, laterCalls] of denials) {
        const { card, input } = denied;
        if (event.occurredAtIso < card.sinceIso || !isSameCall(card, input, event)) continue;
        const callId = event.toolUseId ?? "";
        // The same call again, started after the denial: a separate call.
        if (event.eventType === "tool.start" && event.occurredAtIso > card.settled!.atIso)
          laterCalls.add(callId);
        // A batch also lists calls that did not run.
        const hasRun = event.eventType === "tool_observation" && event.origin === "hook";
        if (!hasRun || laterCalls.has(callId)) continue;
        denials.delete(denied);
        return denied;
      }
      return undefined;
    },
  };
}
