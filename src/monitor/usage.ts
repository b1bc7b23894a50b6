import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { mergeEvents } from "../event/merge.ts";
import { readUsage, type UsageReading } from "./read-usage.ts";
import type { SessionUsage } from "./session-detail.ts";

/** What a session has used. Told its events in any order and however often, it reads the same. */
export interface UsageFold {
  /** Takes messages of the model and the agent's own sums; every other event is passed over. */
  tell(event: HooklineEvent): void;
  read(): UsageReading;
  toSessionUsage(): SessionUsage;
}

export function createUsage(prices: UsageSource): UsageFold {
  const messages = new Map<string, HooklineEvent>();
  const inherited = new Map<string, HooklineEvent>();
  const states = new Map<string, HooklineEvent>();
  let reading: UsageReading | undefined;

  const placeOf = (event: HooklineEvent): Map<string, HooklineEvent> | undefined => {
    if (event.eventType === "assistant.message") return messages;
    if (event.eventType !== "agent.event") return undefined;
    if (event["name"] === "inherited-message") return inherited;
    return event["name"] === "cost-state" ? states : undefined;
  };

  const read = (): UsageReading => {
    reading ??= readUsage(prices, [...messages.values()], [...inherited.values()], [...states.values()]);
    return reading;
  };

  return {
    tell(event) {
      const place = placeOf(event);
      if (place === undefined) return;
      const told = essence(event);
      const known = place.get(event.id);
      // As the store merges: what it tells of the whole and what each telling tells come out the same.
      place.set(event.id, known === undefined ? told : mergeEvents(known, told));
      reading = undefined;
    },
    read,
    toSessionUsage() {
      const { tokens, cost, byModel, beyondMessages } = read();
      return {
        total: tokens,
        cost,
        byModel: [...byModel],
        beyondMessages: [...beyondMessages],
        pricesOf: prices.pricesOf,
      };
    },
  };
}

function essence(event: HooklineEvent): HooklineEvent {
  const { v, id, eventType, occurredAtIso, sessionId, provider, origin, agentId, mergedFrom } = event;
  const { messageId, model, requestedModel, usage, data } = event as Record<string, unknown>;
  return {
    v,
    id,
    eventType,
    occurredAtIso,
    sessionId,
    provider,
    projectPath: null,
    cwd: null,
    agentId,
    origin,
    ...(mergedFrom !== undefined && { mergedFrom }),
    messageId,
    model,
    requestedModel,
    usage,
    data,
  };
}
