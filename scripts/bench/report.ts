/** One line of the table. `ok` is null for a figure that has no budget. */
export interface Row {
  /** The row of DESIGN §13. */
  readonly row: string;
  readonly what: string;
  readonly measured: string;
  readonly comparedWith: string;
  readonly budget: string;
  readonly ok: boolean | null;
  /** The raw figures behind the sentence. */
  readonly figures: Readonly<Record<string, number>>;
}

export function toTable(rows: readonly Row[]): string {
  const head = ["", "what", "measured", "compared with", "budget", ""];
  const cells = rows.map((row) => [
    row.row,
    row.what,
    row.measured,
    row.comparedWith,
    row.budget,
    row.ok === null ? "" : row.ok ? "ok" : "FAIL",
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column]!.length)),
  );
  const line = (parts: readonly string[]): string =>
    `| ${parts.map((part, column) => part.padEnd(widths[column]!)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(head), rule, ...cells.map(line)].join("\n");
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
}

/** Rounds for JSON: three decimals exceed the precision of any of our clocks. */
export function rounded(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [key, Math.round(value * 1_000) / 1_000]),
  );
}
