/** A time span in which a person was waited for. */
export interface WaitInterval {
  readonly startedAtIso: string;
  /** Null while it lasts. */
  readonly endedAtIso: string | null;
}

/**
 * Merges overlapping waits of one session: two requests pending at the same time count as one wait. Each
 * result is the first of its waits with the last of their ends.
 */
export function mergeWaits<T extends WaitInterval>(waits: readonly T[]): T[] {
  const merged: T[] = [];
  for (const wait of waits.toSorted((a, b) => (a.startedAtIso < b.startedAtIso ? -1 : 1))) {
    const last = merged.at(-1);
    if (last === undefined || (last.endedAtIso !== null && last.endedAtIso < wait.startedAtIso))
      merged.push(wait);
    else merged[merged.length - 1] = { ...last, endedAtIso: laterEnd(last.endedAtIso, wait.endedAtIso) };
  }
  return merged;
}

function laterEnd(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return null;
  return a > b ? a : b;
}
