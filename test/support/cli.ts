import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import type { Scratch } from "./claude.ts";
import { PATIENCE_MS } from "./patience.ts";

const BIN = join(import.meta.dirname, "../../bin/hookline");

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `bin/hookline` as a user of the scratch home would. The daemon it may start ends with the scratch. */
export function runHookline(
  scratch: Scratch,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = scratch.project,
): Promise<CliRun> {
  const own = { PATH: process.env["PATH"]!, HOME: scratch.home, HOOKLINE_PORT: "0", ...env };
  return new Promise((resolve) => {
    execFile(BIN, args, { env: own, cwd, maxBuffer: 64e6 }, (error, stdout, stderr) => {
      resolve({
        code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1,
        stdout,
        stderr,
      });
    });
  });
}

export function homeOf(scratch: Scratch): string {
  return join(scratch.home, ".hookline");
}

/** Installs the hooks and starts the daemon; both end with the scratch. Loads no model unless the config names one. */
export async function installAndUp(scratch: Scratch): Promise<void> {
  const config = join(homeOf(scratch), "config.json");
  if (!existsSync(config)) {
    mkdirSync(homeOf(scratch), { recursive: true, mode: 0o700 });
    writeFileSync(config, JSON.stringify({ memory: { embedder: null } }), { mode: 0o600 });
  }
  for (const args of [["install"], ["up"]]) {
    const run = await runHookline(scratch, args);
    if (run.code !== 0) throw new Error(`hookline ${args.join(" ")}: ${run.stderr}`);
  }
  scratch.onCleanup(() => runHookline(scratch, ["down"]));
}

export function queryDatabase(scratch: Scratch, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(join(homeOf(scratch), "hookline.db"), { readOnly: true });
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}

/** Waits until `check` returns a value; returns it and how long that took. */
export async function until<T>(
  check: () => T | undefined | false | null,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  for (const end = Date.now() + timeoutMs; ; await setTimeout(10)) {
    try {
      const found = check();
      if (found !== undefined && found !== false && found !== null) return found;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    if (Date.now() > end) throw new Error(`not within ${timeoutMs} ms: ${check}`);
  }
}

export function spoolFiles(scratch: Scratch): string[] {
  return readdirSync(join(homeOf(scratch), "spool"));
}

/** Null for a file that was removed since it was listed. */
function readIfExists(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Every file under a folder with its bytes; compressed files also in plain form. */
export function allBytes(dir: string): { path: string; bytes: Buffer }[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) return [];
    const bytes = readIfExists(path);
    if (bytes === null) return [];
    return path.endsWith(".zst")
      ? [
          { path, bytes },
          { path: `${path} (plain)`, bytes: zstdDecompressSync(bytes) },
        ]
      : [{ path, bytes }];
  });
}
