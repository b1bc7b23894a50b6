import { setImmediate as nextTurn } from "node:timers/promises";
import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { UsageRow, WaitRow, WithSessionRows } from "../store/session-rows.ts";
import { countUsage } from "./count-usage.ts";
import { queryReportedUsage } from "./query-reported-usage.ts";
import type { Cost } from "./session-snapshot.ts";
import { splitTimeRange } from "./split-time-range.ts";
import { promptTokensOf, type UsageShare, usageOf } from "./usage-share.ts";
import { createUsageTallies, type UsageTallies, type UsageTotals } from "./usage-tallies.ts";

interface CostCriteria {
  readonly prices: UsageSource;
  readonly sinceIso: string;
  readonly nowIso: string;
}

export interface UsageCriteria extends CostCriteria {
  readonly by: "model" | "project";
  /** Waits at or after that time, and how long each lasted within it. */
  readonly waits: readonly { readonly wait: WaitRow; readonly ms: number }[];
}

/**
 * All usage since a time: all figures add up to each other, and to what the sessions show. Over 10,000
 * sessions it takes half a second, so it is queried in parts and yields between them.
 */
export async function queryUsage(rows: WithSessionRows, criteria: UsageCriteria): Promise<UsageTotals> {
  const { prices, sinceIso, nowIso, by, waits } = criteria;
  const tallies = createUsageTallies(prices, by);
  await addShares(tallies, rows, criteria);
  const firstIso = await rows((store) => store.firstUseSince(sinceIso));
  if (firstIso !== null)
    for (const [from, to] of splitTimeRange(firstIso, nowIso)) {
      tallies.addTurns(await rows((store) => store.turnsBetween(from, to)));
      const failed = await rows((store) => store.failedCallsBetween(from, to));
      tallies.addTools(await rows((store) => store.toolsBetween(from, to)), failed);
      await nextTurn();
    }
  for (const { wait, ms } of waits) tallies.addWait(wait, ms);
  const { cost, ...counted } = tallies.total();
  return { since: sinceIso, cost, pricesOf: prices.pricesOf, ...counted };
}

/** The cost of all usage since a time: equals that of `queryUsage`. */
export async function queryCost(rows: WithSessionRows, criteria: CostCriteria): Promise<Cost> {
  const tallies = createUsageTallies(criteria.prices, "model");
  await addShares(tallies, rows, criteria);
  const { cost } = tallies.total();
  // No usage costs nothing; null means no price.
  return cost.source === "unpriced" ? cost : { ...cost, micros: cost.micros ?? 0 };
}

/** Adds usage from messages, and what agents report beyond them. */
async function addShares(
  tallies: UsageTallies,
  rows: WithSessionRows,
  { prices, sinceIso, nowIso }: CostCriteria,
): Promise<void> {
  const firstIso = await rows((store) => store.firstUseSince(sinceIso));
  if (firstIso !== null)
    for (const [from, to] of splitTimeRange(firstIso, nowIso)) {
      for (const row of await rows((store) => store.usageBetween(from, to)))
        tallies.addShare(toShare(row, prices));
      await nextTurn();
    }
  const advisorMessages = await rows((store) => store.advisorMessagesSince(sinceIso));
  for (const share of advisorMessages.flatMap((event) => toAdvisedShares(event, prices)))
    tallies.addShare(share);
  for (const share of await queryReportedUsage(rows, { prices, sinceIso, nowIso })) tallies.addShare(share);
}

function toShare(row: UsageRow, prices: UsageSource): UsageShare {
  const { sessionId, hour, projectPath, model } = row;
  const usage = usageOf(row);
  return {
    sessionId,
    hour,
    projectPath,
    model,
    usage,
    micros: prices.priceOf(model, usage, promptTokensOf(row)),
  };
}

/** Usage of other models that messages called. */
function toAdvisedShares(event: HooklineEvent, prices: UsageSource): UsageShare[] {
  const { sessionId, projectPath, occurredAtIso } = event;
  // The first is the message's own, which is already counted.
  return countUsage(String(event["model"]), event["usage"])
    .slice(1)
    .map(({ model, usage }) => ({
      sessionId,
      projectPath,
      hour: occurredAtIso.slice(0, 13),
      model,
      usage,
      micros: prices.priceOf(model, usage),
    }));
}
