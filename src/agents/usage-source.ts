/** The prices and context windows of an agent's models. */
export interface UsageSource {
  /** The date of the prices. */
  readonly pricesOf: string;
  /** The name a model is counted under. */
  canonicalModelName(model: string): string;
  isPriced(model: string): boolean;
  /**
   * Micro-dollars, not yet rounded; undefined for a model without a price. `promptTokens` is per message, if
   * the usage covers several.
   */
  priceOf(model: string, usage: CountedUsage, promptTokens?: number): number | undefined;
  /** The size of the context window; null if unknown. */
  contextWindowOf(model: string, usedTokens?: number): number | null;
}

/** The usage of one message, or of one model's share in it. */
export interface CountedUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Everything written to the cache: `cacheWrite1h` of it for an hour, the rest for five minutes. */
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly webSearches: number;
  readonly isFast: boolean;
  readonly isUsOnly: boolean;
}

/** Uses the first source with a price for the model: agents may run each other's models. */
export function joinUsageSources(sources: readonly UsageSource[]): UsageSource {
  const sourceOf = (model: string): UsageSource =>
    sources.find((source) => source.isPriced(model)) ?? sources[0] ?? UNPRICED_SOURCE;
  return {
    pricesOf: sources[0]?.pricesOf ?? UNPRICED_SOURCE.pricesOf,
    canonicalModelName: (model) => sourceOf(model).canonicalModelName(model),
    isPriced: (model) => sourceOf(model).isPriced(model),
    priceOf: (model, usage, promptTokens) => sourceOf(model).priceOf(model, usage, promptTokens),
    contextWindowOf: (model, usedTokens) => sourceOf(model).contextWindowOf(model, usedTokens),
  };
}

const UNPRICED_SOURCE: UsageSource = {
  pricesOf: "never",
  canonicalModelName: (model) => model,
  isPriced: () => false,
  priceOf: () => undefined,
  contextWindowOf: () => null,
};
