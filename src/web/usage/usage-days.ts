import type { UsageDay, UsagePart, UsageReport } from "../../serve/usage-contract.ts";
import { locale } from "../i18n/locale.ts";

/** The measures of a chart of days. */

export const MEASURES = ["cost", "tokens", "waits"] as const;
export type Measure = (typeof MEASURES)[number];

export interface Stack {
  /** `others` combines everything below the largest. */
  readonly key: string | null | typeof OTHERS;
  /** One per day. */
  readonly values: readonly number[];
  readonly total: number;
}

export const OTHERS = Symbol("others");
const MAX_STACKS = 5;

type Tokens = UsageDay["tokens"];

export function tokenSum({ input, output, cacheRead, cacheWrite }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}

/** Local midnight of the first of `days` days that end today. */
export function firstDay(days: number, nowMs: number): Date {
  const date = new Date(nowMs);
  date.setHours(0, 0, 0, 0);
  date.setDate(date.getDate() - days + 1);
  return date;
}

/** Every day of the range, including empty ones. */
export function dayRange(days: number, nowMs: number): string[] {
  const date = firstDay(days, nowMs);
  return Array.from({ length: days }, () => {
    const name = dayName(date);
    date.setDate(date.getDate() + 1);
    return name;
  });
}

/** `Sun, Nov 8` in the user's language. */
export function formatDayName(day: string): string {
  return new Date(`${day}T00:00:00`).toLocaleDateString(locale().tag, {
    weekday: "short",
    month: "short",
    day: "numeric",
  });
}

/** Whether a session began before that local day ended, and had an event on it or later. */
export function isActiveOn(
  { startedAtIso, lastEventAtIso }: { readonly startedAtIso: string; readonly lastEventAtIso: string },
  day: string,
): boolean {
  const start = new Date(`${day}T00:00:00`);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return Date.parse(startedAtIso) < end.getTime() && Date.parse(lastEventAtIso) >= start.getTime();
}

export function dayName(date: Date): string {
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Largest first. Waits are not split. */
export function stacksOf(report: UsageReport, names: readonly string[], measure: Measure): Stack[] {
  const days = new Map(report.days.map((day) => [day.day, day]));
  if (measure === "waits") {
    const values = names.map((name) => days.get(name)?.waitMs ?? 0);
    return [{ key: null, values, total: sum(values) }];
  }
  const keys = new Set(report.days.flatMap(({ parts }) => parts.map(({ key }) => key)));
  const all = [...keys]
    .map((key) => {
      const values = names.map((name) =>
        sum(
          (days.get(name)?.parts ?? [])
            .filter((part) => part.key === key)
            .map((part) => amountOf(part, measure)),
        ),
      );
      return { key, values, total: sum(values) };
    })
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total);
  if (all.length <= MAX_STACKS) return all;
  const rest = all.slice(MAX_STACKS - 1);
  const values = names.map((_, index) => sum(rest.map((stack) => stack.values[index] ?? 0)));
  return [...all.slice(0, MAX_STACKS - 1), { key: OTHERS, values, total: sum(values) }];
}

function amountOf({ costMicros, tokens }: UsagePart, measure: "cost" | "tokens"): number {
  return measure === "cost" ? (costMicros ?? 0) : tokenSum(tokens);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
