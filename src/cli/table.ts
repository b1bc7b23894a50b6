import { displayWidth, fitToWidth, truncateToWidth } from "./display-width.ts";

export interface TableColumn {
  readonly align?: "start" | "end";
  /** Takes the remaining width, and is truncated when there is too little. */
  readonly isWide?: boolean;
}

const GAP = 2;
const MIN_WIDE_CELLS = 12;

/** Rows indented by two, each column as wide as it needs; empty columns are omitted. */
export function tableLines(
  all: readonly TableColumn[],
  allRows: readonly (readonly string[])[],
  width: number,
): string[] {
  const used = all.map((_, at) => allRows.some((row) => row[at] !== ""));
  const columns = all.filter((_, at) => used[at]);
  const rows = allRows.map((row) => row.filter((_, at) => used[at]));
  const needs = columns.map((_, at) => Math.max(0, ...rows.map((row) => displayWidth(row[at] ?? ""))));
  const others = needs.reduce((sum, need, at) => sum + GAP + (columns[at]!.isWide ? 0 : need), 0);
  const widths = needs.map((need, at) =>
    columns[at]!.isWide ? Math.min(need, Math.max(MIN_WIDE_CELLS, width - others)) : need,
  );
  return rows.map((row) => {
    const cells = widths.map((cellsWide, at) => fitToWidth(row[at] ?? "", cellsWide, columns[at]!.align));
    return truncateToWidth(`${" ".repeat(GAP)}${cells.join(" ".repeat(GAP))}`.trimEnd(), width);
  });
}
