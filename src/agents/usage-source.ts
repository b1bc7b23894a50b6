/** What an agent's models cost and hold, for what its messages used. */
export interface UsageSource {
  /** The day of the prices. */
  readonly pricesOf: string;
  /** The name under which a model is counted. */
  modelName(model: string): string;
  isPriced(model: string): boolean;
  /**
   * Micro-dollars, not yet rounded; undefined for a model that nobody has a price of. `promptTokens` of each message,
   * where the usage is that of many.
   */
  priceOf(model: string, usage: CountedUsage, promptTokens?: number): number | undefined;
  /** How much a conversation may hold; null where that is not known. */
  contextWindowOf(model: string, usedTokens?: number): number | null;
}

/** What one message, or one model's share in it, used. */
export interface CountedUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** All that was written to the cache; of it `cacheWrite1h` for an hour, the rest for five minutes. */
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly webSearches: number;
  readonly isFast: boolean;
  readonly isUsOnly: boolean;
}

/** A model is asked of the first that has a price of it: agents may run each other's models. */
export function joinUsageSources(sources: readonly UsageSource[]): UsageSource {
  const sourceOf = (model: string): UsageSource =>
    sources.find((source) => source.isPriced(model)) ?? sources[0] ?? NOTHING_PRICED;
  return {
    pricesOf: sources[0]?.pricesOf ?? NOTHING_PRICED.pricesOf,
    modelName: (model) => sourceOf(model).modelName(model),
    isPriced: (model) => sourceOf(model).isPriced(model),
    priceOf: (model, usage, promptTokens) => sourceOf(model).priceOf(model, usage, promptTokens),
    contextWindowOf: (model, usedTokens) => sourceOf(model).contextWindowOf(model, usedTokens),
  };
}

const NOTHING_PRICED: UsageSource = {
  pricesOf: "never",
  modelName: (model) => model,
  isPriced: () => false,
  priceOf: () => undefined,
  contextWindowOf: () => null,
};
