/** Counts current users per key. */
export interface UseCount {
  /** `key` is in use until the work is done. */
  during<T>(key: string, work: () => Promise<T>): Promise<T>;
  isUsed(key: string): boolean;
}

export function createUseCount(): UseCount {
  const counts = new Map<string, number>();
  return {
    async during(key, work) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const others = counts.get(key)! - 1;
        if (others > 0) counts.set(key, others);
        else counts.delete(key);
      }
    },
    isUsed: (key) => counts.has(key),
  };
}
