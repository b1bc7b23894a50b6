import { createLoadReader, type ProcessLoad } from "../../monitor/process-load.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";

/** Resource usage of the sessions' processes, as last measured. */
export interface ProcessLoads {
  of(pid: number): SessionSnapshot["process"];
  measure(snapshots: readonly SessionSnapshot[]): Promise<void>;
}

export function openProcessLoads(isOn: boolean): ProcessLoads {
  const reader = isOn ? createLoadReader() : null;
  let loads: ReadonlyMap<number, ProcessLoad> = new Map();
  return {
    of(pid) {
      const load = loads.get(pid);
      return load === undefined ? null : { cpuPercent: load.cpuPercent, memoryBytes: load.rssBytes };
    },
    async measure(snapshots) {
      if (reader === null) return;
      loads = await reader.read(
        snapshots.flatMap(({ pid, state }) => (pid === null || state === "completed" ? [] : [pid])),
      );
    },
  };
}
