import type { UsageSource } from "../usage-source.ts";
import { PRICES_OF } from "./price-table.ts";
import { canonicalModelName, contextWindowOf, isPriced, priceOf } from "./prices.ts";

export const usage: UsageSource = {
  pricesOf: PRICES_OF,
  canonicalModelName,
  isPriced,
  priceOf,
  contextWindowOf,
};
