export interface Queue {
  run<T>(work: () => Promise<T>): Promise<T>;
  idle(): Promise<void>;
}

/** Runs one task at a time; a failed task does not block the next. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const next = last.then(work);
      last = next.catch(() => undefined);
      return next;
    },
    async idle() {
      await last;
    },
  };
}
