import { cutTo, displayWidth, toCells } from "./display-width.ts";

export interface TableColumn {
  readonly align?: "start" | "end";
  /** Takes the room that is left, and is cut when there is too little. */
  readonly isWide?: boolean;
}

const GAP = 2;
const NARROWEST_WIDE = 12;

/** Rows under each other, indented by two, each column as wide as it needs; one with nothing in it is left out. */
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
    columns[at]!.isWide ? Math.min(need, Math.max(NARROWEST_WIDE, width - others)) : need,
  );
  return rows.map((row) => {
    const cells = widths.map((cellsWide, at) => toCells(row[at] ?? "", cellsWide, columns[at]!.align));
    return cutTo(`${" ".repeat(GAP)}${cells.join(" ".repeat(GAP))}`.trimEnd(), width);
  });
}
