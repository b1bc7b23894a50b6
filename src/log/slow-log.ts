import type { TellSlow } from "../tell-slow.ts";
import type { Log } from "./log.ts";

/** The same log, with a notice when an append takes long. */
export function watchSlowAppends(log: Log, tellSlow: TellSlow): Log {
  return { ...log, append: (events) => tellSlow("writing to the log", () => log.append(events)) };
}
