/** What is private is so for every writer, whether or not the database has been told yet. */
export interface HiddenTurns {
  readonly promptIds: Set<string>;
  /** Calls of private turns: what they leave running is reported later, under a prompt of its own. */
  readonly calls: Set<string>;
}

export function createHiddenTurns(): HiddenTurns {
  return { promptIds: new Set(), calls: new Set() };
}

const MAX_HIDDEN = 10_000;

/** The oldest go first. */
export function hide(set: Set<string>, value: string): void {
  set.delete(value);
  set.add(value);
  for (const oldest of set) {
    if (set.size <= MAX_HIDDEN) break;
    set.delete(oldest);
  }
}
