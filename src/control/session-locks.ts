import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AgentProcess, LivenessSource } from "../agents/liveness-source.ts";
import { writeAtomically } from "../files/atomic-file.ts";
import { makeFolder } from "../files/make-folder.ts";
import { isOwnDomain, isSameProcess, processStart } from "../monitor/processes.ts";
import type { SessionLocks } from "./control-ports.ts";

export interface SessionLocksOptions {
  /** Where claim files are stored. */
  readonly dir: string;
  readonly liveness: LivenessSource;
  /** Where the agent lists the session of each of its processes. */
  readonly registryDirs: readonly string[];
  readonly nowMs: () => number;
}

interface Claim {
  readonly pid: number;
  readonly start: string | null;
}

/** A claim that is older has won: a loser withdraws in far less time. */
const WON_AFTER_MS = 250;
const MAX_TRIES = 200;

/**
 * One writer per Claude session. Each process writes its own claim, then checks: of two, the later one sees
 * the other, so they never both win. Claims are never taken over; those of dead processes are ignored.
 */
export function openSessionLocks({ dir, liveness, registryDirs, nowMs }: SessionLocksOptions): SessionLocks {
  const heldKeys = new Set<string>();
  const own: Claim = { pid: process.pid, start: processStart(process.pid) };

  return {
    claim(claudeSessionId) {
      const key = keyOf(claudeSessionId);
      if (heldKeys.has(key)) return { type: "busy", by: `this Hookline (pid ${own.pid})` };
      const holder = findRunningAgent(liveness, registryDirs, claudeSessionId);
      if (holder !== null) return { type: "busy", by: holder };
      makeFolder(dir);
      for (let tries = 1; ; tries += 1) {
        const claimFile = writeClaim(dir, key, own);
        const rival = findRival(dir, key, claimFile);
        if (rival === null) {
          heldKeys.add(key);
          let isHeld = true;
          const release = (): void => {
            if (!isHeld) return;
            isHeld = false;
            rmSync(join(dir, claimFile), { force: true });
            heldKeys.delete(key);
          };
          return { type: "taken", release };
        }
        rmSync(join(dir, claimFile), { force: true });
        const isSettled = nowMs() - rival.sinceMs > WON_AFTER_MS;
        if (isSettled || tries === MAX_TRIES)
          return { type: "busy", by: `another Hookline (pid ${rival.pid})` };
        // Both may have withdrawn: retry at different moments.
        pause(1 + Math.random() * 20);
      }
    },
  };
}

/** Converts an id to a file name; Claude's ids already are. */
function keyOf(claudeSessionId: string): string {
  if (/^[0-9a-zA-Z-]{1,100}$/.test(claudeSessionId)) return claudeSessionId;
  return createHash("sha256").update(claudeSessionId).digest("hex");
}

function writeClaim(dir: string, key: string, claim: Claim): string {
  const name = `${key}.${claim.pid}.${randomUUID()}.lock`;
  writeAtomically(join(dir, name), JSON.stringify(claim));
  return name;
}

function findRival(
  dir: string,
  key: string,
  claimFile: string,
): (Claim & { readonly sinceMs: number }) | null {
  for (const name of readdirSync(dir)) {
    if (name === claimFile || !name.startsWith(`${key}.`) || !name.endsWith(".lock")) continue;
    const path = join(dir, name);
    const claim = readClaim(path);
    // Withdrawn meanwhile.
    if (claim === null) continue;
    if (isSameProcess(claim.pid, claim.start)) {
      const sinceMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (sinceMs !== undefined) return { ...claim, sinceMs };
    } else rmSync(path, { force: true });
  }
  return null;
}

function readClaim(path: string): Claim | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Claim;
  } catch {
    return null;
  }
}

/** Finds a Claude Code process that has the session open. */
function findRunningAgent(
  liveness: LivenessSource,
  registryDirs: readonly string[],
  claudeSessionId: string,
): string | null {
  for (const dir of registryDirs) {
    for (const name of listDir(dir)) {
      const pid = liveness.pidOf(name);
      if (pid === null) continue;
      const entry = readEntry(join(dir, name), liveness);
      if (entry?.sessionId !== claudeSessionId || entry.pid !== pid) continue;
      if (!isOwnDomain(entry.pidDomain) || !isSameProcess(pid, entry.procStart)) continue;
      const isTerminal = liveness.isAttended(entry) !== false;
      return `${isTerminal ? "a terminal" : "another program"} (pid ${pid})`;
    }
  }
  return null;
}

function readEntry(path: string, liveness: LivenessSource): AgentProcess | null {
  try {
    return liveness.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function listDir(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
