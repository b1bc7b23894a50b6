import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { writeAtomically } from "../files/atomic-file.ts";
import type { Home } from "../home.ts";

/** How much of a usage window is used, as Claude Code last reported, and when the window resets. */
const UsageWindow = z.object({ usedPercent: z.number(), resetsAtIso: z.iso.datetime() });
export const Limits = z.object({ fiveHour: UsageWindow.nullable(), sevenDay: UsageWindow.nullable() });
export type Limits = z.infer<typeof Limits>;

export const NO_LIMITS: Limits = { fiveHour: null, sevenDay: null };

/** Omits windows that have reset since. Never throws. */
export function readLimits(home: Home, now: number): Limits {
  try {
    const { fiveHour, sevenDay } = Limits.parse(JSON.parse(readFileSync(home.limits, "utf8")));
    return { fiveHour: ifCurrent(fiveHour, now), sevenDay: ifCurrent(sevenDay, now) };
  } catch {
    return NO_LIMITS;
  }
}

/** Merges one session's limits with those of others, saves and returns the result. */
export function saveLimits(home: Home, reported: Limits, now: number): Limits {
  const known = readLimits(home, now);
  const merged = mergeLimits(known, reported);
  if (existsSync(home.dir) && JSON.stringify(merged) !== JSON.stringify(known))
    writeAtomically(home.limits, `${JSON.stringify(merged)}\n`);
  return merged;
}

/** Usage only grows within one window: the later window wins, then the higher usage. */
export function mergeLimits(a: Limits, b: Limits): Limits {
  return { fiveHour: later(a.fiveHour, b.fiveHour), sevenDay: later(a.sevenDay, b.sevenDay) };
}

/** `5h 35% · 7d 12%`, as far as known. */
export function limitsText({ fiveHour, sevenDay }: Limits): string {
  const parts = [
    fiveHour && `5h ${Math.round(fiveHour.usedPercent)}%`,
    sevenDay && `7d ${Math.round(sevenDay.usedPercent)}%`,
  ];
  return parts.filter(Boolean).join(" · ");
}

type LimitWindow = Limits["fiveHour"];

function later(a: LimitWindow, b: LimitWindow): LimitWindow {
  if (a === null || b === null) return a ?? b;
  if (a.resetsAtIso !== b.resetsAtIso) return a.resetsAtIso > b.resetsAtIso ? a : b;
  return a.usedPercent >= b.usedPercent ? a : b;
}

function ifCurrent(window: LimitWindow, now: number): LimitWindow {
  return window !== null && Date.parse(window.resetsAtIso) > now ? window : null;
}
