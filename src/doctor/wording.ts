const MAX_LISTED_NAMES = 4;

/** Lists each name once, up to `MAX_LISTED_NAMES` of them. */
export function listNames(names: readonly string[]): string {
  const unique = [...new Set(names)];
  const shown = unique.slice(0, MAX_LISTED_NAMES).join(", ");
  return unique.length > MAX_LISTED_NAMES ? `${shown} and ${unique.length - MAX_LISTED_NAMES} more` : shown;
}

export function countText(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

export function toSentence(parts: readonly string[]): string {
  return `${parts.join("; ")}.`;
}

export function ageText(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

export function octalMode(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}
