import { setImmediate as nextTurn } from "node:timers/promises";
import type { CountedUsage, UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { AskSessionRows, UsageRow, WaitRow } from "../store/session-rows.ts";
import { countUsage } from "./count-usage.ts";
import { createUsageTallies, type Share, type UsageAnswer } from "./usage-tallies.ts";

export interface UsageAsked {
  readonly prices: UsageSource;
  readonly sinceIso: string;
  readonly nowIso: string;
  readonly by: "model" | "project";
  /** Waits at or after that time, and how long each lasted in it. */
  readonly waits: readonly { readonly wait: WaitRow; readonly ms: number }[];
}

/**
 * All that was used since a time, from messages of transcripts alone: every figure of it adds up to every other. Over
 * 10,000 sessions that takes half a second: it is asked for in parts, and between them others have their turn.
 */
export async function askUsage(
  rows: AskSessionRows,
  { prices, sinceIso, nowIso, by, waits }: UsageAsked,
): Promise<UsageAnswer> {
  const tallies = createUsageTallies(prices, by);
  const firstIso = await rows((store) => store.firstUseSince(sinceIso));
  if (firstIso !== null)
    for (const [from, to] of partsOf(firstIso, nowIso)) {
      for (const row of await rows((store) => store.usageBetween(from, to)))
        tallies.addShare(toShare(row, prices));
      tallies.addTurns(await rows((store) => store.turnsBetween(from, to)));
      tallies.addTools(await rows((store) => store.toolsBetween(from, to)));
      await nextTurn();
    }
  const advised = await rows((store) => store.advisedSince(sinceIso));
  for (const share of advised.flatMap((event) => toAdvisedShares(event, prices))) tallies.addShare(share);
  for (const { wait, ms } of waits) tallies.addWait(wait, ms);
  const { cost, ...counted } = tallies.total();
  return { since: sinceIso, cost, pricesOf: prices.pricesOf, ...counted };
}

const DAY_MS = 24 * 3_600_000;
const MOST_PARTS = 120;
/** After all times that anybody could tell. */
const NEVER = "9999";

/** Times that follow on each other, a day each unless that would be too many; the last has no end. */
function* partsOf(firstIso: string, nowIso: string): Iterable<readonly [from: string, to: string]> {
  const [firstMs, nowMs] = [Date.parse(firstIso), Date.parse(nowIso)];
  const stepMs = Math.max(DAY_MS, (nowMs - firstMs) / MOST_PARTS);
  let from = firstIso;
  for (let toMs = firstMs + stepMs; toMs < nowMs; toMs += stepMs) {
    const to = new Date(toMs).toISOString();
    yield [from, to];
    from = to;
  }
  yield [from, NEVER];
}

function toShare(row: UsageRow, prices: UsageSource): Share {
  const { sessionId, hour, projectPath, model } = row;
  const usage = usageOf(row);
  return {
    sessionId,
    hour,
    projectPath,
    model,
    usage,
    micros: prices.priceOf(model, usage, row.size * 100_000 + 1),
  };
}

/** What other models used that were asked within messages. */
function toAdvisedShares(event: HooklineEvent, prices: UsageSource): Share[] {
  const { sessionId, projectPath, occurredAtIso } = event;
  // The first is the message's own, which is counted.
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

function usageOf(row: UsageRow): CountedUsage {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, webSearches, speed, geo } = row;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWrite1h: Math.min(cacheWrite, cacheWrite1h),
    webSearches,
    isFast: speed === "fast",
    isUsOnly: geo === "us",
  };
}
