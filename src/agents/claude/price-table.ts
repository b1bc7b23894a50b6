/**
 * The prices in Claude Code 2.1.325's own catalogue on this day. Every row that its `--model` still reaches
 * was compared with the `cost-state` of a real run, with cache reads, both kinds of cache writes and web
 * searches: equal to the micro-dollar (docs/decisions on the price table).
 */
export const PRICES_OF = "2026-11-15";

/** Micro-dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

export interface ModelPrice {
  readonly rates: Rates;
  /** For a message answered in fast mode. */
  readonly fast?: Rates;
  /** For a message whose whole prompt, cached parts included, exceeds this many tokens. */
  readonly long?: { readonly abovePromptTokens: number; readonly rates: Rates };
  /** Tokens; null if the catalogue does not say. */
  readonly window: number | null;
  /** The window when requested with `[1m]`. */
  readonly longWindow?: number;
}

/** Micro-dollars for one web search, whatever the model. */
export const WEB_SEARCH_MICROS = 10_000;

/** The price factor for messages processed only in the USA (`inference_geo`), in tenths. */
export const US_ONLY_TENTHS = 11;

const million = 1_000_000;
const [standard, extended] = [200_000, million];

/** Takes dollars per million tokens. A cache write costs 5/4 of the input price for 5 min, 2x for 1 h. */
function rates(input: number, output: number, cacheRead: number): Rates {
  const micros = (dollars: number): number => Math.round(dollars * million);
  return {
    input: micros(input),
    output: micros(output),
    cacheRead: micros(cacheRead),
    cacheWrite5m: micros(input * 1.25),
    cacheWrite1h: micros(input * 2),
  };
}

const sonnet = rates(3, 15, 0.3);
const opus = rates(5, 25, 0.5);
const opusFirst = rates(15, 75, 1.5);
const opusFast = rates(10, 50, 1);
const opusFastFirst = rates(30, 150, 3);
const fable = rates(10, 50, 1);
const fable1 = rates(10, 50, 0.25);
const fable2 = { rates: rates(8, 40, 0.2), fast: rates(16, 80, 0.4), window: extended };

export const PRICES: Readonly<Record<string, ModelPrice>> = {
  "claude-3-5-haiku": { rates: rates(0.8, 4, 0.08), window: null },
  "claude-haiku-4-5": { rates: rates(1, 5, 0.1), window: standard, longWindow: extended },
  "claude-haiku-5-5": {
    rates: rates(0.1, 0.5, 0.01),
    long: { abovePromptTokens: 100_000, rates: rates(0.5, 2.5, 0.05) },
    window: extended,
  },
  "claude-3-5-sonnet": { rates: sonnet, window: null },
  "claude-3-7-sonnet": { rates: sonnet, window: null },
  "claude-sonnet-4-0": { rates: sonnet, window: standard, longWindow: extended },
  "claude-sonnet-4-5": { rates: sonnet, window: standard, longWindow: extended },
  "claude-sonnet-4-6": { rates: sonnet, window: standard, longWindow: extended },
  "claude-sonnet-5": { rates: rates(2, 10, 0.2), window: extended },
  "claude-sonnet-5-5": { rates: rates(2, 10, 0.1), window: extended },
  "claude-opus-4-0": { rates: opusFirst, window: standard, longWindow: extended },
  "claude-opus-4-1": { rates: opusFirst, window: standard, longWindow: extended },
  "claude-opus-4-5": { rates: opus, window: standard, longWindow: extended },
  "claude-opus-4-6": { rates: opus, fast: opusFastFirst, window: standard, longWindow: extended },
  "claude-opus-4-7": { rates: opus, fast: opusFastFirst, window: extended },
  "claude-opus-4-8": { rates: opus, fast: opusFast, window: extended },
  "claude-opus-5": { rates: opus, fast: opusFast, window: extended },
  "claude-opus-5-5": { rates: rates(4, 20, 0.2), fast: rates(8, 40, 0.4), window: extended },
  "claude-fable-5": { rates: fable, window: extended },
  "claude-fable-5-1": { rates: fable1, window: extended },
  "claude-fable-5-2": fable2,
  "claude-mythos-5": { rates: fable, window: extended },
  "claude-mythos-5-1": { rates: fable1, window: extended },
  "claude-mythos-5-2": fable2,
};
