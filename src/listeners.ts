export interface Listeners<Told extends readonly unknown[]> {
  add(listener: (...told: Told) => void): void;
  /** Calls listeners in the order in which they were added. */
  emit(...told: Told): void;
}

export function createListeners<Told extends readonly unknown[]>(): Listeners<Told> {
  const listeners: ((...told: Told) => void)[] = [];
  return {
    add: (listener) => void listeners.push(listener),
    emit(...told) {
      for (const listener of listeners) listener(...told);
    },
  };
}
