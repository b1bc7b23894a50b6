import type { UsageSource } from "../agents/usage-source.ts";
import { canonicalJson } from "../event/canonical.ts";
import { amountOrZero, objectOrEmpty } from "./count-usage.ts";
import type { Tokens } from "./session-snapshot.ts";

/**
 * One `cost-state` line: the agent's own totals for its session so far, written when its process leaves it.
 */
export interface CostState {
  /** The time of the preceding line: it has none of its own. */
  readonly atMs: number;
  readonly data: unknown;
}

/** What the agent reports for its session, by model. */
export interface ReportedUsage {
  readonly tokens: Tokens;
  /** Null where the agent did not know the price and guessed. */
  readonly micros: number | null;
}

/** What one state adds to the previous ones, and the time span in which it was used. */
export interface CostReport {
  /** Index of the state in the input. */
  readonly index: number;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly byModel: ReadonlyMap<string, ReportedUsage>;
}

export interface CostLedgers {
  readonly byModel: ReadonlyMap<string, ReportedUsage>;
  /** The parts of `byModel`, one per state. */
  readonly reports: readonly CostReport[];
  /** Whether usage at this time is included in `byModel`. */
  covers(timeMs: number): boolean;
}

/**
 * A resumed process continues from the last totals in its file: `startTime` stays, and `totalDuration` grows
 * by its run time. So of the states with one `startTime`, the one with the longest duration includes the
 * others. Another `startTime` is a new count (there was no state to continue from): counts are added up.
 * A fork continues from its parent's totals: a count that started before its last copied message includes
 * them, and nothing in the fork's file says how much that was. So only what such a count adds after its first
 * state belongs to the fork.
 */
export function readLedgers(
  states: readonly CostState[],
  prices: UsageSource,
  /** The time of the last copied message; null if none was copied. */
  copiedUntilMs: number | null = null,
): CostLedgers {
  const inOrder = states.map(parseCostState).sort(byProgress);
  const byModel = new Map<string, ReportedUsage>();
  const reports: CostReport[] = [];
  for (const chain of Map.groupBy(inOrder, (state) => state.startMs).values()) {
    const isInherited = copiedUntilMs !== null && chain[0]!.startMs <= copiedUntilMs;
    reports.push(...reportsOf(chain, prices).slice(isInherited ? 1 : 0));
    addTo(byModel, prices, chain.at(-1)!, isInherited ? chain[0]! : null);
  }
  return {
    byModel,
    reports,
    covers: (timeMs) => reports.some(({ fromMs, untilMs }) => fromMs <= timeMs && timeMs <= untilMs),
  };
}

interface ParsedCostState {
  readonly index: number;
  readonly atMs: number;
  readonly startMs: number;
  readonly durationMs: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function parseCostState({ atMs, data }: CostState, index: number): ParsedCostState {
  const fields = objectOrEmpty(data);
  return {
    index,
    atMs,
    startMs: amountOrZero(fields["startTime"]),
    durationMs: amountOrZero(fields["totalDuration"]),
    data: fields,
    text: canonicalJson(data),
  };
}

function byProgress(a: ParsedCostState, b: ParsedCostState): number {
  return a.startMs - b.startMs || a.durationMs - b.durationMs || (a.text < b.text ? -1 : 1);
}

/** One report per process that wrote a state. A process killed between two states is in none. */
function reportsOf(chain: readonly ParsedCostState[], prices: UsageSource): CostReport[] {
  return chain.map((state, position) => {
    const previous = chain[position - 1];
    const untilMs = Math.max(state.atMs, state.startMs + state.durationMs);
    const runtimeMs = state.durationMs - (previous?.durationMs ?? 0);
    const byModel = new Map<string, ReportedUsage>();
    addTo(byModel, prices, state, previous ?? null);
    return {
      index: state.index,
      fromMs: previous === undefined ? state.startMs : untilMs - runtimeMs,
      untilMs,
      byModel,
    };
  });
}

/** Adds a state's totals, or only its difference to an earlier state. */
function addTo(
  byModel: Map<string, ReportedUsage>,
  prices: UsageSource,
  { data }: ParsedCostState,
  earlier: ParsedCostState | null,
): void {
  const hasGuessedPrices = data["hasUnknownModelCost"] === true;
  const previousByModel = objectOrEmpty(earlier?.data["modelUsage"]);
  for (const [name, value] of Object.entries(objectOrEmpty(data["modelUsage"]))) {
    const [usage, previous] = [objectOrEmpty(value), objectOrEmpty(previousByModel[name])];
    const increase = (key: string): number =>
      Math.max(0, amountOrZero(usage[key]) - amountOrZero(previous[key]));
    const tokens: Tokens = {
      input: increase("inputTokens"),
      output: increase("outputTokens"),
      cacheRead: increase("cacheReadInputTokens"),
      cacheWrite: increase("cacheCreationInputTokens"),
    };
    const costUsd = increase("costUSD");
    if (earlier !== null && costUsd === 0 && Object.values(tokens).every((count) => count === 0)) continue;
    const model = prices.canonicalModelName(name);
    const known = byModel.get(model);
    const micros = hasGuessedPrices && !prices.isPriced(name) ? null : costUsd * 1_000_000;
    byModel.set(model, {
      tokens: addTokens(known?.tokens ?? NO_TOKENS, tokens),
      micros: known === undefined ? micros : addMicros(known.micros, micros),
    });
  }
}

export const NO_TOKENS: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

function addMicros(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
