import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { countUsage, type ModelShare } from "./count-usage.ts";
import type { ModelUsage } from "./session-detail.ts";

/** Usage of all sessions since the daemon started, each message once. */
export interface UsageMeter {
  count(event: HooklineEvent): void;
  read(): ModelUsage[];
}

/** A message may be repeated soon by other lines; remembers this many ids to skip repeats. */
const MAX_SEEN_IDS = 20_000;

export function createUsageMeter(prices: UsageSource): UsageMeter {
  const totals = new Map<string, ModelUsage>();
  const seen = new Set<string>();
  return {
    count(event) {
      if (event.eventType !== "assistant.message" || seen.has(event.id)) return;
      seen.add(event.id);
      if (seen.size > MAX_SEEN_IDS) seen.delete(seen.values().next().value!);
      const model = event["model"];
      if (typeof model !== "string" || model === "<synthetic>") return;
      for (const share of countUsage(model, event["usage"])) add(totals, prices, share);
    },
    read: () => [...totals.values()],
  };
}

function add(totals: Map<string, ModelUsage>, prices: UsageSource, { model: name, usage }: ModelShare): void {
  const model = prices.canonicalModelName(name);
  const known = totals.get(model);
  const micros = prices.priceOf(name, usage);
  totals.set(model, {
    model,
    input: (known?.input ?? 0) + usage.input,
    output: (known?.output ?? 0) + usage.output,
    cacheRead: (known?.cacheRead ?? 0) + usage.cacheRead,
    cacheWrite: (known?.cacheWrite ?? 0) + usage.cacheWrite,
    costMicros:
      micros === undefined ? (known?.costMicros ?? null) : (known?.costMicros ?? 0) + Math.round(micros),
  });
}
