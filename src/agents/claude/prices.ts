import type { CountedUsage } from "../usage-source.ts";
import { type ModelPrice, PRICES, type Rates, US_ONLY_TENTHS, WEB_SEARCH_MICROS } from "./price-table.ts";

/** The name a model is counted under: that of its row, else its own. */
export function canonicalModelName(model: string): string {
  return rowOf(model) ?? model.replace(LONG_SUFFIX, "");
}

export function isPriced(model: string): boolean {
  return rowOf(model) !== undefined;
}

/** Micro-dollars, not yet rounded; undefined for a model without a row. */
export function priceOf(
  model: string,
  usage: CountedUsage,
  /** Per message, if the usage covers several. */
  promptTokens = usage.input + usage.cacheRead + usage.cacheWrite,
): number | undefined {
  const row = rowOf(model);
  if (row === undefined) return undefined;
  const { cacheWrite1h } = usage;
  const rates = ratesFor(PRICES[row]!, usage, promptTokens);
  // Integers up to here, so that the order of addition never matters.
  const perMillion =
    usage.input * rates.input +
    usage.output * rates.output +
    usage.cacheRead * rates.cacheRead +
    (usage.cacheWrite - cacheWrite1h) * rates.cacheWrite5m +
    cacheWrite1h * rates.cacheWrite1h;
  const tenths = usage.isUsOnly ? US_ONLY_TENTHS : 10;
  return (perMillion * tenths) / 10_000_000 + usage.webSearches * WEB_SEARCH_MICROS;
}

/** The size of the context window; null if unknown. `[1m]` in the name requests a larger one. */
export function contextWindowOf(model: string, usedTokens = 0): number | null {
  const row = rowOf(model);
  if (row === undefined) return null;
  const { window, longWindow } = PRICES[row]!;
  const isLong = LONG_SUFFIX.test(model) || (window !== null && usedTokens > window);
  return isLong ? (longWindow ?? window) : window;
}

function ratesFor(price: ModelPrice, usage: CountedUsage, promptTokens: number): Rates {
  if (usage.isFast && price.fast !== undefined) return price.fast;
  const { long } = price;
  return long !== undefined && promptTokens > long.abovePromptTokens ? long.rates : price.rates;
}

const LONG_SUFFIX = /\[1m\]$/i;

/** What providers add to a model's own name: their path, their region, its version and date. */
const PROVIDER_AFFIXES = [
  LONG_SUFFIX,
  /^.*\//,
  /^(?:[a-z-]+\.)?anthropic\./,
  /@(?:\d{8}|latest|default)$/,
  /-v\d+(?::\d+)?$/,
  /-(?:\d{8}|latest)$/,
];

function rowOf(model: string): string | undefined {
  const bare = PROVIDER_AFFIXES.reduce((name, affix) => name.replace(affix, ""), model.toLowerCase()).replace(
    /(\d)\.(\d)/g,
    "$1-$2",
  );
  return [bare, `${bare}-0`].find((name) => Object.hasOwn(PRICES, name));
}
