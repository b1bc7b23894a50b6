import type { ReportSlow } from "../report-slow.ts";
import type { Log } from "./log.ts";

/** Wraps a log to report slow appends. */
export function reportSlowAppends(log: Log, reportSlow: ReportSlow): Log {
  return { ...log, append: (events) => reportSlow("writing to the log", () => log.append(events)) };
}
