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
 *
 * A fork goes on from its parent's sums: a count that began before its last copied message has them in it, and nothing
 * in the fork's file tells how much that was. So of such a count only what came after its first state is the fork's.
 */
export function readLedgers(
  states: readonly CostState[],
  prices: UsageSource,
  /** Of the last message that was copied; null where none was. */
  copiedUntilMs: number | null = null,
): CostLedgers {
  const inOrder = states.map(read).sort(byProgress);
  const byModel = new Map<string, Reported>();
  const spans: Span[] = [];
  for (const chain of Map.groupBy(inOrder, (state) => state.startMs).values()) {
    const isInherited = copiedUntilMs !== null && chain[0]!.startMs <= copiedUntilMs;
    spans.push(...spansOf(chain).slice(isInherited ? 1 : 0));
    addTo(byModel, prices, chain.at(-1)!, isInherited ? chain[0]! : null);
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

/** Adds what a state reports, or only what it has beyond an earlier one. */
function addTo(
  byModel: Map<string, Reported>,
  prices: UsageSource,
  { data }: State,
  since: State | null,
): void {
  const guesses = data["hasUnknownModelCost"] === true;
  const before = object(since?.data["modelUsage"]);
  for (const [name, value] of Object.entries(object(data["modelUsage"]))) {
    const [usage, past] = [object(value), object(before[name])];
    const more = (key: string): number => Math.max(0, amount(usage[key]) - amount(past[key]));
    const tokens: Tokens = {
      input: more("inputTokens"),
      output: more("outputTokens"),
      cacheRead: more("cacheReadInputTokens"),
      cacheWrite: more("cacheCreationInputTokens"),
    };
    const costUsd = more("costUSD");
    if (since !== null && costUsd === 0 && Object.values(tokens).every((count) => count === 0)) continue;
    const model = prices.modelName(name);
    const known = byModel.get(model);
    const micros = guesses && !prices.isPriced(name) ? null : costUsd * 1_000_000;
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
