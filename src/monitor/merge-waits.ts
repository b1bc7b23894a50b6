/** A time that somebody was waited for. */
export interface WaitTime {
  readonly startedAtIso: string;
  /** Null while it lasts. */
  readonly endedAtIso: string | null;
}

/**
 * The waits of one session, those that overlap as one: two requests that are open side by side keep a person waited
 * for once. Each result is the first of its waits with the last of their ends.
 */
export function mergeWaits<T extends WaitTime>(waits: readonly T[]): T[] {
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
