/** A cost, formatted the same way in the web UI and in the terminal. */
interface Cost {
  /** Micro-dollars of the priced part; null when nothing is priced. */
  readonly micros: number | null;
  readonly source: "reported" | "estimate" | "unpriced";
  readonly unpricedModels: readonly string[];
}

/** `~` marks an estimate, `+` an incomplete sum; null when nothing is priced. */
export function costText({ micros, source, unpricedModels }: Cost): string | null {
  if (micros === null) return null;
  return `${source === "reported" ? "" : "~"}${microsText(micros)}${unpricedModels.length > 0 ? "+" : ""}`;
}

/** For a turn or a model, whose cost always comes from our own price table. */
export function estimateText(micros: number | null): string | null {
  return costText({ micros, source: "estimate", unpricedModels: [] });
}

export function microsText(micros: number): string {
  const dollars = micros / 1_000_000;
  return `$${dollars.toFixed(dollars >= 1_000 ? 0 : 2)}`;
}
