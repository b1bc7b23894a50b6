/** Fire-and-forget work with limits on running and waiting work; each lane runs sequentially. */
export interface WorkQueue {
  /** False if there is no room. `lane` null: runs concurrently with everything. */
  add(lane: string | null, work: () => Promise<void>): boolean;
  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void>;
  /** Drops waiting work. */
  clear(): void;
}

export function createWorkQueue(limits: { readonly atOnce: number; readonly waiting: number }): WorkQueue {
  const waiting: { readonly lane: string | null; readonly work: () => Promise<void> }[] = [];
  const lanes = new Set<string>();
  let running = 0;
  let told: (() => void)[] = [];

  const next = (): void => {
    while (running < limits.atOnce) {
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
    for (const tell of told) tell();
    told = [];
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
        told.push(resolve);
        next();
      }),
    clear: () => void waiting.splice(0),
  };
}
