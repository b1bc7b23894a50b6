/** Runs one task at a time, in order of arrival. A failed task rejects its own caller and nobody else. */
export interface SerialQueue {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when every task so far has ended. */
  idle(): Promise<void>;
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const result = last.then(task);
      last = result.catch(() => undefined);
      return result;
    },
    async idle() {
      await last;
    },
  };
}

/** A serial queue for each key; tasks of different keys run side by side. */
export type KeyedQueue = <T>(key: string, task: () => Promise<T>) => Promise<T>;

export function createKeyedQueue(): KeyedQueue {
  const queues = new Map<string, { readonly queue: SerialQueue; tasks: number }>();
  return async (key, task) => {
    const entry = queues.get(key) ?? { queue: createSerialQueue(), tasks: 0 };
    queues.set(key, entry);
    entry.tasks++;
    try {
      return await entry.queue.run(task);
    } finally {
      if (--entry.tasks === 0) queues.delete(key);
    }
  };
}
