/** Projects that need a refresh, a few at a time. */
export interface RefreshQueue {
  /** Does nothing once closed. */
  add(projects: Iterable<string>): void;
  /** Tracks work that still has to find out which projects are due; `settle` and `close` wait for it. */
  track(work: Promise<void>): void;
  /** Resolves when no project is due and no tracked work can add one. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface RefreshQueueOptions {
  readonly refresh: (project: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const MAX_CONCURRENT = 2;

export function createRefreshQueue({ refresh, onError }: RefreshQueueOptions): RefreshQueue {
  const due = new Set<string>();
  const tracked = new Set<Promise<void>>();
  let running: Promise<void> | null = null;
  let isClosed = false;

  const run = async (): Promise<void> => {
    while (due.size > 0) {
      const projects = [...due].slice(0, MAX_CONCURRENT);
      for (const project of projects) due.delete(project);
      await Promise.all(projects.map((project) => refresh(project).catch(onError)));
    }
  };
  const start = (): Promise<void> => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };

  const isBusy = (): boolean => due.size > 0 || running !== null || tracked.size > 0;
  const finish = async (): Promise<void> => {
    await Promise.all(tracked);
    await start();
  };

  return {
    add(projects) {
      if (isClosed) return;
      for (const project of projects) due.add(project);
      if (due.size > 0) void start();
    },
    track(work) {
      const settled = work.catch(onError).finally(() => tracked.delete(settled));
      tracked.add(settled);
    },
    async settle() {
      while (isBusy()) await finish();
    },
    async close() {
      while (isBusy()) await finish();
      isClosed = true;
    },
  };
}
