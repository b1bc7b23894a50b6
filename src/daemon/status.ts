import { existsSync } from "node:fs";
import { openPauses, readPauses } from "../capture/pauses.ts";
import type { Home } from "../home.ts";
import { readLimits } from "../monitor/limits.ts";
import type { DaemonStatus } from "../serve/contract.ts";
import { listSpool } from "../spool/read-spool.ts";
import { VERSION } from "../version.ts";

export interface Being {
  readonly home: Home;
  readonly port: number | null;
  readonly startedAtIso: string;
  readonly log: string;
}

type Told =
  | "version"
  | "pid"
  | "home"
  | "port"
  | "startedAtIso"
  | "recording"
  | "pauses"
  | "spoolDepth"
  | "spoolOldestMs"
  | "log"
  | "limits";

/** Which daemon this is, and what still lies before it. */
export function tellBeing({ home, port, startedAtIso, log }: Being): Pick<DaemonStatus, Told> {
  const files = listSpool(home.spool);
  const oldest = files[0];
  const pauses = openPauses(readPauses(home.pauses), new Date().toISOString());
  return {
    version: VERSION,
    pid: process.pid,
    home: home.dir,
    port,
    startedAtIso,
    recording: existsSync(home.spool) && pauses.every(({ project }) => project !== null),
    pauses,
    spoolDepth: files.length,
    spoolOldestMs: oldest === undefined ? null : Math.max(0, Date.now() - Number(oldest.timeNs / 1_000_000n)),
    log,
    limits: readLimits(home, Date.now()),
  };
}
