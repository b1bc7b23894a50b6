/** Fire-and-forget work with limits on running and waiting work; each lane runs sequentially. */
export interface WorkQueue {
  /** False if there is no room. `lane` null: runs concurrently with everything. */
  add(lane: string | null, work: () => Promise<void>): boolean;
  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void>;
  /** Drops waiting work. */
  clear(): void;
}

export function createWorkQueue(limits: {
  readonly concurrent: number;
  readonly waiting: number;
}): WorkQueue {
  const waiting: { readonly lane: string | null; readonly work: () => Promise<void> }[] = [];
  const lanes = new Set<string>();
  let running = 0;
  let idleListeners: (() => void)[] = [];

  const next = (): void => {
    while (running < limits.concurrent) {
      const index = waiting.findIndex(({ lane }) => lane === null || !lanes.has(lane));
      const [entry] = index < 0 ? [] : waiting.splice(index, 1);
      if (entry === undefined) break;
      const { lane, work } = entry;
      running++;
      if (lane !== null) lanes.add(lane);
      void work().finally(() => {
        running--;
        if (lane !== null) lanes.delete(lane);
        next();
      });
    }
    if (running > 0 || waiting.length > 0) return;
    for (const notify of idleListeners) notify();
    idleListeners = [];
  };

  return {
    add(lane, work) {
      if (waiting.length >= limits.waiting) return false;
      waiting.push({ lane, work });
      next();
      return true;
    },
    idle: () =>
      new Promise((resolve) => {
        idleListeners.push(resolve);
        next();
      }),
    clear: () => void waiting.splice(0),
  };
}
