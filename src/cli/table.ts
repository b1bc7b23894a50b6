import { displayWidth, fitToWidth, truncateToWidth } from "./display-width.ts";

export interface TableColumn {
  readonly align?: "start" | "end";
  /** Takes the remaining width, and is truncated when there is too little. */
  readonly isWide?: boolean;
}

const GAP_CELLS = 2;
const MIN_WIDE_CELLS = 12;

/** Rows indented by two, each column as wide as it needs; empty columns are omitted. */
export function tableLines(
  allColumns: readonly TableColumn[],
  allRows: readonly (readonly string[])[],
  width: number,
): string[] {
  const isUsed = allColumns.map((_, index) => allRows.some((row) => row[index] !== ""));
  const columns = allColumns.filter((_, index) => isUsed[index]);
  const rows = allRows.map((row) => row.filter((_, index) => isUsed[index]));
  const neededCells = columns.map((_, index) =>
    Math.max(0, ...rows.map((row) => displayWidth(row[index] ?? ""))),
  );
  const fixedCells = neededCells.reduce(
    (sum, needed, index) => sum + GAP_CELLS + (columns[index]!.isWide ? 0 : needed),
    0,
  );
  const widths = neededCells.map((needed, index) =>
    columns[index]!.isWide ? Math.min(needed, Math.max(MIN_WIDE_CELLS, width - fixedCells)) : needed,
  );
  return rows.map((row) => {
    const cells = widths.map((columnCells, index) =>
      fitToWidth(row[index] ?? "", columnCells, columns[index]!.align),
    );
    return truncateToWidth(`${" ".repeat(GAP_CELLS)}${cells.join(" ".repeat(GAP_CELLS))}`.trimEnd(), width);
  });
}
