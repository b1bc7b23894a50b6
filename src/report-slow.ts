const SLOW_MS = 1_000;
const REPORT_AGAIN_MS = 600_000;

/** Reports work that takes longer than a second, each kind at most once in ten minutes. */
export type ReportSlow = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createSlowReporter(
  report: (message: string) => void,
  nowMs: () => number = () => performance.now(),
): ReportSlow {
  const lastReportMs = new Map<string, number>();
  return async (name, work) => {
    const startMs = nowMs();
    try {
      return await work();
    } finally {
      const now = nowMs();
      if (now - startMs >= SLOW_MS && now - (lastReportMs.get(name) ?? -Infinity) >= REPORT_AGAIN_MS) {
        lastReportMs.set(name, now);
        report(`${name} took ${((now - startMs) / 1_000).toFixed(1)} s`);
      }
    }
  };
}
