import type { UsageSource } from "../usage-source.ts";
import { PRICES_OF } from "./price-table.ts";
import { contextWindowOf, isPriced, modelName, priceOf } from "./prices.ts";

export const usage: UsageSource = {
  pricesOf: PRICES_OF,
  modelName,
  isPriced,
  priceOf,
  contextWindowOf,
};
