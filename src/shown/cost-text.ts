/** What something has cost, in the same words on the pages and in the terminal. */
interface Cost {
  /** Micro-dollars of what has a price; null when nothing has. */
  readonly micros: number | null;
  readonly source: "reported" | "estimate" | "unpriced";
  readonly unpricedModels: readonly string[];
}

/** `~` before an estimate, `+` after what is not all; null when nothing has a price. */
export function costText({ micros, source, unpricedModels }: Cost): string | null {
  if (micros === null) return null;
  return `${source === "reported" ? "" : "~"}${microsText(micros)}${unpricedModels.length > 0 ? "+" : ""}`;
}

/** Of a turn or a model, which are always counted by our own prices. */
export function estimateText(micros: number | null): string | null {
  return costText({ micros, source: "estimate", unpricedModels: [] });
}

export function microsText(micros: number): string {
  const dollars = micros / 1_000_000;
  return `$${dollars.toFixed(dollars >= 1_000 ? 0 : 2)}`;
}
