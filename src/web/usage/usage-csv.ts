import type { UsageDay } from "../../serve/usage-contract.ts";

const HEADER = [
  "day",
  "cost_usd",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "sessions",
  "turns",
  "waited_seconds",
];

/** The days as CSV, oldest first. An unpriced day has an empty cost. */
export function toCsv(days: readonly UsageDay[]): string {
  const rows = days.map(({ day, costMicros, tokens, sessions, turns, waitMs }) => [
    day,
    costMicros === null ? "" : (costMicros / 1_000_000).toFixed(6),
    tokens.input,
    tokens.output,
    tokens.cacheRead,
    tokens.cacheWrite,
    sessions,
    turns,
    Math.round(waitMs / 1_000),
  ]);
  return [HEADER, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

export function downloadCsv(days: readonly UsageDay[], name: string): void {
  const url = URL.createObjectURL(new Blob([toCsv(days)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
