import { costText } from "../../shown/cost-text.ts";
import { locale } from "./locale.ts";

/** Human-readable numbers. */

export function formatDuration(ms: number): string {
  const { s, m, h, d } = locale();
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds}${s}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}${m} ${String(seconds % 60).padStart(2, "0")}${s}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}${h} ${String(minutes % 60).padStart(2, "0")}${m}`;
  return `${Math.floor(hours / 24)}${d}`;
}

/** The largest unit alone, for columns. */
export function formatShortDuration(ms: number): string {
  const { s, m, h, d } = locale();
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds}${s}`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}${m}`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)}${h}`;
  return `${Math.floor(seconds / 86_400)}${d}`;
}

export function formatCount(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  if (value < 1_000_000) return `${(value / 1_000).toFixed(value < 10_000 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(value < 10_000_000 ? 2 : 1)}M`;
}

export function formatBytes(value: number): string {
  if (value < 1_000_000) return `${Math.round(value / 1_000)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** With all digits. */
export function formatInteger(value: number): string {
  return value.toLocaleString(locale().tag);
}

/** Micro-dollars. Never zero for a model without a price. */
export function formatCost(cost: {
  readonly micros: number | null;
  readonly source: "reported" | "estimate" | "unpriced";
  readonly unpricedModels: readonly string[];
}): string {
  return costText(cost) ?? "–";
}

export function formatTime(iso: string): string {
  return new Date(iso).toLocaleTimeString(locale().tag, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
}

export function formatDay(iso: string): string {
  return new Date(iso).toLocaleDateString(locale().tag, { month: "short", day: "numeric" });
}

/** The date and time, to the minute. */
export function formatDateTime(iso: string): string {
  return new Date(iso).toLocaleString(locale().tag, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
}

/** The last part of a path, for a column. */
export function baseName(path: string | null): string {
  return path === null ? "–" : (path.replace(/\/+$/, "").split("/").at(-1) ?? path);
}
