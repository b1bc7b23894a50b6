const SLOW_MS = 1_000;
const REPORT_AGAIN_MS = 600_000;

/** Reports work that takes longer than a second, each kind at most once in ten minutes. */
export type ReportSlow = <T>(what: string, work: () => Promise<T>) => Promise<T>;

export function createSlowReporter(
  tell: (message: string) => void,
  nowMs: () => number = () => performance.now(),
): ReportSlow {
  const told = new Map<string, number>();
  return async (what, work) => {
    const begin = nowMs();
    try {
      return await work();
    } finally {
      const now = nowMs();
      if (now - begin >= SLOW_MS && now - (told.get(what) ?? -Infinity) >= REPORT_AGAIN_MS) {
        told.set(what, now);
        tell(`${what} took ${((now - begin) / 1_000).toFixed(1)} s`);
      }
    }
  };
}
