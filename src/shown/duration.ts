import { AppError } from "../app-error.ts";

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A century: anything farther is a typo, and eventually not a valid date. */
const MAX_DURATION_MS = 36_525 * UNIT_MS.d;

/** Parses `30m`, `2h`, `1d` to milliseconds; null for anything else. */
export function parseDurationMs(text: string): number | null {
  const match = /^(\d+)([smhd])$/.exec(text);
  if (match === null) return null;
  const ms = Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
  return ms <= MAX_DURATION_MS ? ms : null;
}

/** Converts `2h` (before now) or a point in time (local unless it has a zone) to ISO in UTC. */
export function toSinceIso(text: string, now: number): string {
  const ms = parseDurationMs(text);
  // `Date.parse` reads a bare date as UTC.
  const at = ms === null ? Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text) : now - ms;
  if (!Number.isFinite(at) || (ms === null && !/^\d{4}-/.test(text)))
    throw new AppError("usage", `invalid time "${text}" (e.g. 2h, 30m, 1d, or 2026-11-15T09:00)`);
  return new Date(at).toISOString();
}

/** At most five characters: 12s, 1m42, 42m, 3h05, 2d. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds}s`;
  if (minutes < 10) return `${minutes}m${twoDigits(seconds % 60)}`;
  if (hours === 0) return `${minutes}m`;
  if (hours < 24) return `${hours}h${twoDigits(minutes % 60)}`;
  return `${Math.floor(hours / 24)}d`;
}

/** The age of a point in time; empty for an invalid time. */
export function shortDurationSince(iso: string, now: number): string {
  const at = Date.parse(iso);
  return Number.isFinite(at) ? shortDuration(now - at) : "";
}

/** The local time of day, with the date when it is not today. */
export function localTime(iso: string, now: number): string {
  const at = new Date(iso);
  if (!Number.isFinite(at.getTime())) return "?";
  const time = `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  if (at.toDateString() === new Date(now).toDateString()) return time;
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())} ${time}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
