import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import { isSameCall } from "./card-ends.ts";

/** What is known of a request beside its card. */
interface Denied {
  readonly card: Card;
  readonly promptId: string | null;
  readonly input: string;
}

/**
 * Denials that came too late. A Yes in the terminal is known here some 150 ms after it was given; a denial of that
 * moment is taken here and ignored there. That the call ran tells.
 */
export interface Denials {
  add(denied: Denied): void;
  /** The denial that an event shows to have been ignored. */
  overruledBy(event: HooklineEvent): Denied | undefined;
}

const MOST = 50;

export function createDenials(): Denials {
  const denials = new Map<Denied, Set<string>>();
  return {
    add(denied) {
      const [oldest] = denials.keys();
      if (denials.size >= MOST && oldest !== undefined) denials.delete(oldest);
      denials.set(denied, new Set());
    },
    overruledBy(event) {
      for (const [denied, laterCalls] of denials) {
        const { card, input } = denied;
        if (event.occurredAtIso < card.sinceIso || !isSameCall(card, input, event)) continue;
        const callId = event.toolUseId ?? "";
        // The same once more, after the denial: a call of its own.
        if (event.eventType === "tool.start" && event.occurredAtIso > card.settled!.atIso)
          laterCalls.add(callId);
        // A batch also tells of calls that did not run.
        const hasRun = event.eventType === "tool_observation" && event.origin === "hook";
        if (!hasRun || laterCalls.has(callId)) continue;
        denials.delete(denied);
        return denied;
      }
      return undefined;
    },
  };
}
