import { readFileSync } from "node:fs";
import type { Home } from "../home.ts";

/** The pid in the pid file, whether or not that process is still ours. */
export function readPidFile(home: Home): number | null {
  try {
    return Number.parseInt(readFileSync(home.pidFile, "utf8"), 10) || null;
  } catch {
    return null;
  }
}
