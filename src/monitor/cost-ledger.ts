import type { UsageSource } from "../agents/usage-source.ts";
import { canonicalJson } from "../event/canonical.ts";
import { amount, object } from "./count-usage.ts";
import type { Tokens } from "./session-snapshot.ts";

/** One `cost-state` line: the agent's own sums over its session so far, written when its process lets go of it. */
export interface CostState {
  /** Of the last line before it. It has no time of its own. */
  readonly atMs: number;
  readonly data: unknown;
}

/** What the agent says that its session has used, by model. */
export interface Reported {
  readonly tokens: Tokens;
  /** Null where the agent did not know the price and guessed. */
  readonly micros: number | null;
}

export interface CostLedgers {
  readonly byModel: ReadonlyMap<string, Reported>;
  /** Whether what was used at this time is part of those sums. */
  covers(timeMs: number): boolean;
}

/**
 * A resumed process goes on from the last sums in its file: `startTime` stays, `totalDuration` grows by the
 * time that it ran. So of the states with one `startTime` the one with the longest duration has all that the
 * others have. Another `startTime` is a new count (no state was there to go on from): those are added up.
 */
export function readLedgers(states: readonly CostState[], prices: UsageSource): CostLedgers {
  const inOrder = states.map(read).sort(byProgress);
  const byModel = new Map<string, Reported>();
  const spans: Span[] = [];
  for (const chain of Map.groupBy(inOrder, (state) => state.startMs).values()) {
    spans.push(...spansOf(chain));
    addTo(byModel, chain.at(-1)!, prices);
  }
  return {
    byModel,
    covers: (timeMs) => spans.some(({ fromMs, untilMs }) => fromMs <= timeMs && timeMs <= untilMs),
  };
}

interface State {
  readonly atMs: number;
  readonly startMs: number;
  readonly durationMs: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

function read({ atMs, data }: CostState): State {
  const fields = object(data);
  return {
    atMs,
    startMs: amount(fields["startTime"]),
    durationMs: amount(fields["totalDuration"]),
    data: fields,
    text: canonicalJson(data),
  };
}

function byProgress(a: State, b: State): number {
  return a.startMs - b.startMs || a.durationMs - b.durationMs || (a.text < b.text ? -1 : 1);
}

/** When each of the processes ran that wrote these. One that was killed between two of them is in none. */
function spansOf(chain: readonly State[]): Span[] {
  return chain.map((state, index) => {
    const before = chain[index - 1];
    const untilMs = Math.max(state.atMs, state.startMs + state.durationMs);
    if (before === undefined) return { fromMs: state.startMs, untilMs };
    return { fromMs: untilMs - (state.durationMs - before.durationMs), untilMs };
  });
}

function addTo(byModel: Map<string, Reported>, { data }: State, prices: UsageSource): void {
  const guesses = data["hasUnknownModelCost"] === true;
  for (const [name, value] of Object.entries(object(data["modelUsage"]))) {
    const usage = object(value);
    const model = prices.modelName(name);
    const known = byModel.get(model);
    const micros = guesses && !prices.isPriced(name) ? null : amount(usage["costUSD"]) * 1_000_000;
    byModel.set(model, {
      tokens: addTokens(known?.tokens ?? NO_TOKENS, {
        input: amount(usage["inputTokens"]),
        output: amount(usage["outputTokens"]),
        cacheRead: amount(usage["cacheReadInputTokens"]),
        cacheWrite: amount(usage["cacheCreationInputTokens"]),
      }),
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
