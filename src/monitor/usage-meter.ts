import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { countUsage, type ModelShare } from "./count-usage.ts";
import type { ModelUsage } from "./session-detail.ts";

/** What all sessions together have used since the daemon began, each message once. */
export interface UsageMeter {
  tell(event: HooklineEvent): void;
  read(): ModelUsage[];
}

/** A message is told again by its other lines, and soon; so much is remembered to know it. */
const MOST_SEEN = 20_000;

export function createUsageMeter(prices: UsageSource): UsageMeter {
  const totals = new Map<string, ModelUsage>();
  const seen = new Set<string>();
  return {
    tell(event) {
      if (event.eventType !== "assistant.message" || seen.has(event.id)) return;
      if (seen.size >= MOST_SEEN) seen.clear();
      seen.add(event.id);
      const model = event["model"];
      if (typeof model !== "string" || model === "<synthetic>") return;
      for (const share of countUsage(model, event["usage"])) add(totals, prices, share);
    },
    read: () => [...totals.values()],
  };
}

function add(
  totals: Map<string, ModelUsage>,
  prices: UsageSource,
  { model: called, usage }: ModelShare,
): void {
  const model = prices.modelName(called);
  const known = totals.get(model);
  const micros = prices.priceOf(called, usage);
  totals.set(model, {
    model,
    input: (known?.input ?? 0) + usage.input,
    output: (known?.output ?? 0) + usage.output,
    cacheRead: (known?.cacheRead ?? 0) + usage.cacheRead,
    cacheWrite: (known?.cacheWrite ?? 0) + usage.cacheWrite,
    costMicros: micros === undefined ? null : (known?.costMicros ?? 0) + Math.round(micros),
  });
}
