import { readdirSync, readFileSync } from "node:fs";
import { cpuMsOf } from "./bench-home.ts";

export interface EmbedderProcess {
  readonly pid: number;
  readonly rssMb: number;
  readonly peakMb: number;
  readonly cpuMs: number;
}

/** Finds the daemon's current embedder; any of its threads may have started it. */
export function findEmbedderProcess(daemonPid: number): EmbedderProcess | null {
  for (const thread of readdirSync(`/proc/${daemonPid}/task`)) {
    for (const pid of read(`/proc/${daemonPid}/task/${thread}/children`).split(" ").map(Number)) {
      if (!/^embed|hookline-embed|embed-child/.test(read(`/proc/${pid}/cmdline`))) continue;
      const status = read(`/proc/${pid}/status`);
      const mb = (key: string): number =>
        Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1_024;
      return { pid, rssMb: mb("VmRSS"), peakMb: mb("VmHWM"), cpuMs: cpuMsOf(pid) };
    }
  }
  return null;
}

/** Returns an empty string for a process that has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
