import { type Limits, limitsText } from "../monitor/limits.ts";
import type { AwayReport, SessionSnapshot } from "../serve/contract.ts";
import { spentText } from "./amounts.ts";
import { GROUPS, groupOf } from "./session-face.ts";

/** `2 need you · 3 busy · 1 parked · 4 idle`, without those of which there are none. */
export function countsText(sessions: readonly SessionSnapshot[]): string {
  const counts = GROUPS.filter((group) => group !== "finished").map((group) => {
    const count = sessions.filter((session) => groupOf(session) === group).length;
    if (count === 0) return null;
    return group === "need you" ? needText(count) : `${count} ${group}`;
  });
  return counts.filter(Boolean).join(" · ");
}

export function needText(count: number): string {
  return count === 1 ? "1 needs you" : `${count} need you`;
}

/** One line for a terminal's own status bar; parts that nobody knows are left out. */
export function statusLine(
  sessions: readonly SessionSnapshot[],
  cost: AwayReport["cost"] | null,
  limits: Limits,
): string {
  const spent = cost === null ? null : spentText(cost);
  const parts = [countsText(sessions), spent === null ? null : `${spent} today`, limitsText(limits)];
  return parts.filter(Boolean).join(" | ");
}

/** The beginning of this day, where the person is. */
export function localMidnight(now: number): string {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day.toISOString();
}
