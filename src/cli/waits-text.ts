import type { WaitTotals } from "../serve/contract.ts";
import { localTime, shortDuration } from "../shown/duration.ts";
import { oneLine } from "../shown/plain-text.ts";
import { plural } from "./amounts.ts";
import { tableLines } from "./table.ts";

/** How long agents waited for a person, longest first; days in order. */
export function waitsText(
  { since, totals }: WaitTotals,
  { now, width, isByDay }: { now: number; width: number; isByDay: boolean },
): string {
  const head = `Since ${localTime(since, now)}`;
  if (totals.length === 0) return `${head}, no agent waited for you.`;
  const sorted = isByDay ? totals : totals.toSorted((a, b) => b.totalMs - a.totalMs);
  const rows = sorted.map(({ key, count, totalMs, longestMs }) => [
    oneLine(key) || "(no project)",
    shortDuration(totalMs),
    plural(count, "wait"),
    `longest ${shortDuration(longestMs)}`,
  ]);
  const columns = [{ isWide: true }, { align: "end" }, { align: "end" }, {}] as const;
  const allMs = totals.reduce((sum, { totalMs }) => sum + totalMs, 0);
  return [`${head}, agents waited ${shortDuration(allMs)} for you`, ...tableLines(columns, rows, width)].join(
    "\n",
  );
}
