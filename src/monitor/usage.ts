import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { mergeEvents } from "../event/merge.ts";
import { readUsage, type UsageReading } from "./read-usage.ts";
import type { SessionUsage } from "./session-detail.ts";

/** The usage of a session. Independent of the order and repetition of its events. */
export interface UsageFold {
  /** Applies model messages and the agent's own totals; ignores every other event. */
  apply(event: HooklineEvent): void;
  read(): UsageReading;
  toSessionUsage(): SessionUsage;
}

export function createUsageFold(prices: UsageSource): UsageFold {
  const messages = new Map<string, HooklineEvent>();
  const inherited = new Map<string, HooklineEvent>();
  const states = new Map<string, HooklineEvent>();
  let reading: UsageReading | undefined;

  const mapOf = (event: HooklineEvent): Map<string, HooklineEvent> | undefined => {
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
    apply(event) {
      const target = mapOf(event);
      if (target === undefined) return;
      const report = pickUsageFields(event);
      const known = target.get(event.id);
      // Merges like the store, so that merged and individual reports give the same result.
      target.set(event.id, known === undefined ? report : mergeEvents(known, report));
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

function pickUsageFields(event: HooklineEvent): HooklineEvent {
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
