import { setImmediate as nextTurn } from "node:timers/promises";
import type { CountedUsage, UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { UsageSpan, WithSessionRows } from "../store/session-rows.ts";
import { addTokens, type CostReport, NO_TOKENS, type ReportedUsage, readLedgers } from "./cost-ledger.ts";
import { countUsage, type ModelShare } from "./count-usage.ts";
import { splitTimeRange } from "./split-time-range.ts";
import { promptTokensOf, type UsageShare, usageOf } from "./usage-share.ts";

/**
 * What agents reported at or after a time beyond the messages of their sessions: compactions, and other calls
 * missing from transcripts. Added to the messages, it equals the total that a session shows (`readUsage`). It
 * counts at the time of the report: the session does not know it earlier either.
 */
export async function queryReportedUsage(
  rows: WithSessionRows,
  { prices, sinceIso, nowIso }: { prices: UsageSource; sinceIso: string; nowIso: string },
): Promise<UsageShare[]> {
  const states = await rows((store) => store.costStatesSince(sinceIso));
  const bySession = Map.groupBy(states, ({ sessionId }) => sessionId);
  const copiedUntil = await rows((store) => store.copiedUntil([...bySession.keys()]));
  const sessions = new Map<string, ReportTally[]>();
  for (const [sessionId, ofSession] of bySession)
    sessions.set(sessionId, reportTalliesOf(ofSession, prices, copiedUntil.get(sessionId)));
  await addMessages(rows, sessions, prices, nowIso);
  return [...sessions.values()].flat().flatMap((tally) => toShares(tally, sinceIso));
}

/** One report of an agent, and the usage of the messages it includes. */
interface ReportTally {
  readonly report: CostReport;
  /** The event that reported it. */
  readonly state: HooklineEvent;
  readonly messages: Map<string, ReportedUsage>;
}

function reportTalliesOf(
  states: readonly HooklineEvent[],
  prices: UsageSource,
  copiedUntilIso: string | undefined,
): ReportTally[] {
  const statesWithData = states.filter((event) => event["data"] != null);
  const { reports } = readLedgers(
    statesWithData.map((event) => ({ atMs: Date.parse(event.occurredAtIso), data: event["data"] })),
    prices,
    copiedUntilIso === undefined ? null : Date.parse(copiedUntilIso),
  );
  return reports.map((report) => ({ report, state: statesWithData[report.index]!, messages: new Map() }));
}

/** Counts every message for the first report that covers it. */
async function addMessages(
  rows: WithSessionRows,
  sessions: ReadonlyMap<string, readonly ReportTally[]>,
  prices: UsageSource,
  nowIso: string,
): Promise<void> {
  const spans = [...sessions].flatMap(([sessionId, tallies]) => spansOf(sessionId, tallies));
  if (spans.length === 0) return;
  const firstIso = spans.reduce((first, { fromIso }) => (fromIso < first ? fromIso : first), nowIso);
  const addMessage = (
    { messages }: ReportTally,
    { model, usage }: ModelShare,
    promptTokens?: number,
  ): void => {
    const name = prices.canonicalModelName(model);
    const known = messages.get(name);
    messages.set(name, {
      tokens: addTokens(known?.tokens ?? NO_TOKENS, usage),
      micros: (known?.micros ?? 0) + (prices.priceOf(model, usage, promptTokens) ?? 0),
    });
  };
  for (const [from, to] of splitTimeRange(firstIso, nowIso)) {
    const spansInPart = spans.filter(({ fromIso, untilIso }) => fromIso < to && from <= untilIso);
    for (const row of await rows((store) => store.usageWithin(from, to, spansInPart)))
      addMessage(
        spansInPart[row.span]!.tally,
        { model: row.model, usage: usageOf(row) },
        promptTokensOf(row),
      );
    await nextTurn();
  }
  const bySession = Map.groupBy(spans, ({ sessionId }) => sessionId);
  for (const event of await rows((store) => store.advisorMessagesSince(firstIso))) {
    const at = event.occurredAtIso;
    const span = bySession
      .get(event.sessionId)
      ?.find(({ fromIso, untilIso }) => fromIso <= at && at <= untilIso);
    // The first is the message's own, which is already counted.
    const advised = span === undefined ? [] : countUsage(String(event["model"]), event["usage"]).slice(1);
    for (const share of advised) addMessage(span!.tally, share);
  }
}

interface ReportSpan extends UsageSpan {
  readonly tally: ReportTally;
}

/** The time spans a report covers, minus those of earlier reports: they never overlap within a session. */
function spansOf(sessionId: string, tallies: readonly ReportTally[]): ReportSpan[] {
  const covered: (readonly [fromMs: number, untilMs: number])[] = [];
  return tallies.flatMap((tally) => {
    let free = [[clamp(Math.ceil(tally.report.fromMs)), clamp(Math.floor(tally.report.untilMs))] as const];
    for (const [from, until] of covered)
      free = free.flatMap(([a, b]) => [
        [a, Math.min(b, from - 1)] as const,
        [Math.max(a, until + 1), b] as const,
      ]);
    free = free.filter(([a, b]) => a <= b);
    covered.push(...free);
    return free.map(([a, b]) => ({
      sessionId,
      fromIso: new Date(a).toISOString(),
      untilIso: new Date(b).toISOString(),
      tally,
    }));
  });
}

/** Limits times from a damaged line to the valid date range. */
function clamp(timeMs: number): number {
  return Math.min(Math.max(0, timeMs), MAX_TIME_MS);
}

const MAX_TIME_MS = Date.parse("9998-12-31T00:00:00.000Z");

/** A report's usage beyond its messages, by model. Negative where the agent pays less than our table says. */
function toShares({ report, state, messages }: ReportTally, sinceIso: string): UsageShare[] {
  const { sessionId, projectPath, occurredAtIso } = state;
  if (occurredAtIso < sinceIso) return [];
  return [...report.byModel].flatMap(([model, { tokens, micros }]) => {
    const known = messages.get(model) ?? { tokens: NO_TOKENS, micros: 0 };
    const usage: CountedUsage = {
      input: tokens.input - known.tokens.input,
      output: tokens.output - known.tokens.output,
      cacheRead: tokens.cacheRead - known.tokens.cacheRead,
      cacheWrite: tokens.cacheWrite - known.tokens.cacheWrite,
      cacheWrite1h: 0,
      webSearches: 0,
      isFast: false,
      isUsOnly: false,
    };
    const extraMicros = micros === null ? undefined : micros - (known.micros ?? 0);
    // Rounding differences of sums are smaller than any price.
    if (Math.abs(extraMicros ?? 0) < 0.5 && Object.values(usage).every((amount) => !amount)) return [];
    return [{ sessionId, hour: occurredAtIso.slice(0, 13), projectPath, model, usage, micros: extraMicros }];
  });
}
