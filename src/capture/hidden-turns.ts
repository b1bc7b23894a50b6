/** What is private is private for every writer, whether or not the database knows it yet. */
export interface HiddenTurns {
  readonly promptIds: Set<string>;
  /** Calls of private turns: what they leave running is reported later, under its own prompt. */
  readonly calls: Set<string>;
}

export function createHiddenTurns(): HiddenTurns {
  return { promptIds: new Set(), calls: new Set() };
}

const MAX_HIDDEN = 10_000;

/** Evicts the oldest first. */
export function addHidden(set: Set<string>, value: string): void {
  set.delete(value);
  set.add(value);
  for (const oldest of set) {
    if (set.size <= MAX_HIDDEN) break;
    set.delete(oldest);
  }
}
