/** Projects of which something has to be made again, a few at a time. */
export interface DueProjects {
  add(projects: Iterable<string>): void;
  /** Work that still has to find out which projects are due. Waited for by whoever waits for the projects. */
  expect(work: Promise<void>): void;
  /** Until none is due, and none may soon be. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface DueProjectsOptions {
  readonly refresh: (project: string) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

const AT_ONCE = 2;

export function createDueProjects({ refresh, onTrouble }: DueProjectsOptions): DueProjects {
  const due = new Set<string>();
  const expected = new Set<Promise<void>>();
  let running: Promise<void> | null = null;
  let isClosed = false;

  const run = async (): Promise<void> => {
    while (due.size > 0 && !isClosed) {
      const projects = [...due].slice(0, AT_ONCE);
      for (const project of projects) due.delete(project);
      await Promise.all(projects.map((project) => refresh(project).catch(onTrouble)));
    }
  };
  const start = (): Promise<void> => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    add(projects) {
      for (const project of projects) due.add(project);
      if (due.size > 0 && !isClosed) void start();
    },
    expect(work) {
      const one = work.catch(onTrouble).finally(() => expected.delete(one));
      expected.add(one);
    },
    async settle() {
      while (due.size > 0 || running !== null || expected.size > 0) {
        await Promise.all(expected);
        await start();
      }
    },
    async close() {
      await Promise.all(expected);
      await start();
      isClosed = true;
    },
  };
}
