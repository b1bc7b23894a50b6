/** Those who asked to be told. */
export interface Listeners<Told extends readonly unknown[]> {
  add(listener: (...told: Told) => void): void;
  /** In the order in which they asked. */
  tell(...told: Told): void;
}

export function createListeners<Told extends readonly unknown[]>(): Listeners<Told> {
  const listeners: ((...told: Told) => void)[] = [];
  return {
    add: (listener) => void listeners.push(listener),
    tell(...told) {
      for (const listener of listeners) listener(...told);
    },
  };
}
