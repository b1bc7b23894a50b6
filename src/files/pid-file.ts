import { readFileSync } from "node:fs";
import type { Home } from "../home.ts";

/** Whom the pid file names, whether or not that process is still ours. */
export function namedPid(home: Home): number | null {
  try {
    return Number.parseInt(readFileSync(home.pidFile, "utf8"), 10) || null;
  } catch {
    return null;
  }
}
