import type { UsageDay } from "../../serve/usage-contract.ts";
import { sum, tokenSum } from "./usage-days.ts";

export interface PeriodTotals {
  readonly costMicros: number;
  readonly tokens: number;
  readonly waitMs: number;
}

export function totalsOf(days: readonly UsageDay[]): PeriodTotals {
  return {
    costMicros: sum(days.map(({ costMicros }) => costMicros ?? 0)),
    tokens: sum(days.map(({ tokens }) => tokenSum(tokens))),
    waitMs: sum(days.map(({ waitMs }) => waitMs)),
  };
}

/** The totals before a day; null without activity, because there is nothing to compare with. */
export function totalsBefore(days: readonly UsageDay[], firstDay: string): PeriodTotals | null {
  const earlier = days.filter(({ day }) => day < firstDay);
  return earlier.length === 0 ? null : totalsOf(earlier);
}

/** `+12%`, `-8%`, or `±0%`; null where the earlier value is zero. */
export function changeText(current: number, previous: number): string | null {
  if (previous === 0) return null;
  const percent = Math.round(((current - previous) / previous) * 100);
  return `${percent > 0 ? "+" : percent === 0 ? "±" : "-"}${Math.abs(percent)}%`;
}
