import { readdirSync, readFileSync } from "node:fs";
import { cpuMsOf } from "./place.ts";

export interface EmbedderProcess {
  readonly pid: number;
  readonly rssMb: number;
  readonly peakMb: number;
  readonly cpuMs: number;
}

/** The embedder that a daemon has at the moment: any of its threads may have started it. */
export function embedderOf(daemonPid: number): EmbedderProcess | null {
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

/** Empty for one that has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
