export interface Listeners<Args extends readonly unknown[]> {
  add(listener: (...args: Args) => void): void;
  /** Calls listeners in the order in which they were added. */
  emit(...args: Args): void;
}

export function createListeners<Args extends readonly unknown[]>(): Listeners<Args> {
  const listeners: ((...args: Args) => void)[] = [];
  return {
    add: (listener) => void listeners.push(listener),
    emit(...args) {
      for (const listener of listeners) listener(...args);
    },
  };
}
