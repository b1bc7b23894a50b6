import { spawn } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { AppError } from "../app-error.ts";
import { readConfigFile } from "../config.ts";
import { writeAtomically } from "../daemon-files.ts";
import type { Env, Home } from "../home.ts";
import { daemonEnv } from "../hook/commands.ts";
import { writeLauncher } from "../hook/launcher.ts";
import { Health } from "../serve/contract.ts";
import { askDaemon } from "./client.ts";

const WAIT_MS = 10_000;

export interface StartOptions {
  /** By a hook: nobody waits, and a spool folder that somebody removed stays away. */
  readonly byHook: boolean;
}

/** Starts the daemon in the background unless one runs. True when it was not running before. */
export async function ensureDaemon(home: Home, env: Env, options: StartOptions): Promise<boolean> {
  if ((await askDaemon(home, Health, "/api/health", { timeoutMs: 2_000 }).catch(() => null)) !== null)
    return false;
  if (!options.byHook) await prepareHome(home, env);
  const kept = Object.fromEntries(
    daemonEnv.filter((key) => env[key] !== undefined).map((key) => [key, env[key]]),
  );
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, "daemon"], {
    cwd: "/",
    detached: true,
    env: kept,
    stdio: "ignore",
  });
  child.unref();
  if (options.byHook) return true;
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await setTimeout(20)) {
    if ((await askDaemon(home, Health, "/api/health", { timeoutMs: 2_000 }).catch(() => null)) !== null)
      return true;
  }
  throw new AppError(
    "daemon_not_up",
    `the daemon did not come up within ${WAIT_MS / 1000} s; see ${home.daemonLog}`,
  );
}

/** What a person's own start sets right: folders, the launcher for hooks, and where the log goes. */
export async function prepareHome(home: Home, env: Env): Promise<void> {
  mkdirSync(home.spool, { recursive: true, mode: 0o700 });
  await writeLauncher(home, { nodePath: process.execPath, entry: realpathSync(process.argv[1]!) });
  rememberStreamPath(home, env);
}

/** The environment of a hook is not ours: where the log goes must be known without it. */
export function rememberStreamPath(home: Home, env: Env): void {
  const streamPath = env["KW_CHAT_STREAM_PATH"];
  const config = readConfigFile(home);
  if (streamPath === undefined || streamPath === "" || config["streamPath"] === streamPath) return;
  mkdirSync(home.dir, { recursive: true, mode: 0o700 });
  writeAtomically(home.configFile, `${JSON.stringify({ ...config, streamPath }, null, 2)}\n`);
}
