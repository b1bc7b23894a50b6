import { existsSync } from "node:fs";
import { claude } from "../agents/claude/claude.ts";
import { activePauses, readPauses } from "../capture/pauses.ts";
import { logFile } from "../config.ts";
import { createHookStatus } from "../hook/hook-status.ts";
import { readLimits } from "../monitor/limits.ts";
import type { DaemonStatus } from "../serve/contract.ts";
import { listSpool } from "../spool/read-spool.ts";
import { VERSION } from "../version.ts";
import type { Base } from "./base.ts";
import type { LongWork } from "./long-work.ts";
import type { Recording } from "./recording.ts";
import type { Steering } from "./steering/steering.ts";

export interface StatusParts {
  readonly port: number | null;
  readonly long: LongWork;
  readonly steering: Steering | null;
}

/** The data of `hookline status`. */
export function createStatus(
  base: Base,
  { liveStore, quarantine, lagMs }: Recording,
  { port, long, steering }: StatusParts,
): () => Promise<DaemonStatus> {
  const { home, env, notices } = base;
  const readHookStatus = createHookStatus(claude, home, env);
  readHookStatus();
  return async () => ({
    ...daemonInfo(base, port),
    ...backlogInfo(base),
    hooksInstalled: readHookStatus()?.installed ?? null,
    hooksRemoved: readHookStatus()?.removed ?? false,
    lagMs: lagMs(),
    torn: quarantine.count("torn"),
    quarantined: quarantine.count(),
    ...(await liveStore.use((store) => store.facts.summary())),
    progress: long.progress(),
    steering: (await steering?.status()) ?? null,
    notices: [...notices],
  });
}

function daemonInfo({ home, config, startedAtIso }: Base, port: number | null) {
  return {
    version: VERSION,
    pid: process.pid,
    home: home.dir,
    port,
    startedAtIso,
    log: logFile(home, config),
    limits: readLimits(home, Date.now()),
  };
}

/** What is still to be processed, and whether more may come. */
function backlogInfo({ home }: Base) {
  const files = listSpool(home.spool);
  const oldest = files[0];
  const pauses = activePauses(readPauses(home.pauses), new Date().toISOString());
  return {
    recording: existsSync(home.spool) && pauses.every(({ project }) => project !== null),
    pauses,
    spoolDepth: files.length,
    spoolOldestMs: oldest === undefined ? null : Math.max(0, Date.now() - Number(oldest.timeNs / 1_000_000n)),
  };
}
