/** Private turns shared by every writer, whether or not the database knows them yet. */
export interface HiddenTurns {
  readonly promptIds: Set<string>;
  /** Calls of private turns: what they leave running is reported later, under its own prompt. */
  readonly calls: Set<string>;
}

export function createHiddenTurns(): HiddenTurns {
  return { promptIds: new Set(), calls: new Set() };
}

const MAX_HIDDEN_ENTRIES = 10_000;

/** Evicts the oldest first. */
export function addHidden(set: Set<string>, value: string): void {
  set.delete(value);
  set.add(value);
  for (const oldest of set) {
    if (set.size <= MAX_HIDDEN_ENTRIES) break;
    set.delete(oldest);
  }
}
