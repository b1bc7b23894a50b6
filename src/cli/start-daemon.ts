import { type ChildProcess, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { isRunByAgent } from "../agents/run-by-agent.ts";
import { AppError } from "../app-error.ts";
import { askDaemon, isConnectionLost } from "../client/ask-daemon.ts";
import { readConfigFile } from "../config.ts";
import { pickCredentials } from "../control/caller-credentials.ts";
import { MARK_VARIABLE } from "../control/process/claude-processes.ts";
import { type RunningCommand, readRunningCommand, runningCommandText } from "../daemon/acquire-home.ts";
import { probeHomeWrite, refuseSharedHome } from "../daemon/home-errors.ts";
import { isLocked } from "../daemon/lock.ts";
import { writeAtomically } from "../files/atomic-file.ts";
import { makeFolder } from "../files/make-folder.ts";
import { readPidFile } from "../files/pid-file.ts";
import type { Env, Home } from "../home.ts";
import { daemonEnv } from "../hook/digest-command.ts";
import { writeLauncher } from "../hook/launcher.ts";
import { Health } from "../serve/contract.ts";
import { lastErrorSince } from "./daemon-down-lines.ts";
import { type HandoverOptions, requestHandover, shouldReplaceDaemon } from "./handover.ts";
import { note } from "./output.ts";

const HEALTH_TIMEOUT_MS = 2_000;
const START_TIMEOUT_MS = 20_000;
/** Also in `bin/hookline`. With V8's 16 MB, garbage grows to 150 MB: docs/decisions/0028-small-daemon.md. */
const DAEMON_FLAGS: readonly string[] = ["--max-semi-space-size=2"];

/** How the daemon came to be running. */
export type BringUpResult =
  | { readonly type: "started" | "ran" }
  | { readonly type: "took_over"; readonly from: Health; readonly closed: number };

/** Ensures that a daemon of this version or newer runs, and returns when it is serving. */
export async function ensureDaemonRunning(
  home: Home,
  env: Env,
  options: HandoverOptions,
): Promise<BringUpResult> {
  const running = await askHealth(home);
  if (running === null) {
    await prepareHome(home, env);
    const child = spawnDaemon(env, readPidFile(home), userCredentials(env));
    await waitUntilServing(home, null, { child, wait: options.wait });
    return { type: "started" };
  }
  if (!shouldReplaceDaemon(running, options.restart)) return { type: "ran" };
  // Before the handover, so that a hook in between starts this version.
  await prepareHome(home, env);
  let closed: number;
  try {
    closed = await requestHandover(home, running, options);
  } catch (error) {
    // Another process was faster.
    const now = await askHealth(home);
    if (now !== null && now.pid !== running.pid && !shouldReplaceDaemon(now, false)) return { type: "ran" };
    throw error;
  }
  const child = spawnDaemon(env, running.pid, userCredentials(env));
  await waitUntilServing(home, running, { child, wait: options.wait });
  return { type: "took_over", from: running, closed };
}

/** For hooks: does not wait, replaces nothing, and does not recreate a removed spool folder. */
export async function startUnlessRunning(home: Home, env: Env): Promise<void> {
  // A daemon that does not answer is alive: another could not replace it.
  const isRunning = await askHealth(home).then(
    (health) => health !== null,
    () => true,
  );
  if (!isRunning) spawnDaemon(env, null, {});
}

async function askHealth(home: Home): Promise<Health | null> {
  try {
    return await askDaemon(home, Health, "/api/health", { timeoutMs: HEALTH_TIMEOUT_MS });
  } catch (error) {
    // A broken connection means that the daemon is shutting down.
    if (isConnectionLost(error)) return null;
    if ((error as AppError).code !== "daemon_silent") throw error;
    throw new AppError("daemon_silent", `the daemon of ${home.dir} does not answer; nothing was changed`, {
      cause: error,
    });
  }
}

/**
 * The login of the user's own terminal is passed to the daemon, so that the web UI can start sessions. An
 * agent's or a hook's login must not be used.
 */
function userCredentials(env: Env): Record<string, string> {
  return isRunByAgent(env) || env[MARK_VARIABLE] ? {} : pickCredentials(env);
}

/** `after`: the pid of a daemon that may still be shutting down. */
function spawnDaemon(
  env: Env,
  after: number | null,
  credentials: Readonly<Record<string, string>>,
): ChildProcess {
  const passedEnv = Object.fromEntries(
    daemonEnv.filter((key) => env[key] !== undefined).map((key) => [key, env[key]]),
  );
  const args = after === null ? [] : ["--after", String(after)];
  const flags = [...process.execArgv.filter((flag) => !DAEMON_FLAGS.includes(flag)), ...DAEMON_FLAGS];
  const child = spawn(process.execPath, [...flags, process.argv[1]!, "daemon", ...args], {
    cwd: "/",
    detached: true,
    env: { ...credentials, ...passedEnv },
    stdio: "ignore",
  });
  child.unref();
  return child;
}

interface StartWait {
  readonly child: ChildProcess;
  /** Waits for a running command in the home, however long it takes. */
  readonly wait: boolean;
}

/** A daemon that lost a start race exits immediately, while the winner may still be starting. */
const EXIT_GRACE_MS = 3_000;

async function waitUntilServing(
  home: Home,
  before: Health | null,
  { child, wait }: StartWait,
): Promise<void> {
  let isAnnounced = false;
  let endedMs: number | null = null;
  const startedMs = Date.now();
  let unblockedMs = startedMs;
  for (; ; await setTimeout(20)) {
    const health = await askHealth(home).catch(() => null);
    if (health !== null && health.pid !== before?.pid && health.starting !== true) return;
    const command = readRunningCommand(home);
    if (command !== null && !isAnnounced) {
      note(`${runningCommandText(command)} is using ${home.dir}; the daemon starts when it finishes.`);
      isAnnounced = true;
    }
    const now = Date.now();
    // Our daemon may have yielded to another that waits for the same command and starts when it ends.
    if (command !== null) [unblockedMs, endedMs] = [now, null];
    else if (child.exitCode !== null && health === null) endedMs ??= now;
    const errorText = endedMs === null ? null : lastErrorSince(home, startedMs);
    const mayHaveFailed = endedMs !== null && (errorText !== null || now - endedMs > EXIT_GRACE_MS);
    const hasEnded = mayHaveFailed && !isLocked(home.lockFile);
    const isLate =
      now > (command === null ? unblockedMs : startedMs) + START_TIMEOUT_MS && !(wait && command !== null);
    if (hasEnded || isLate) throw startError(home, before, command, { errorText, ms: now - startedMs });
  }
}

interface StartAttempt {
  /** The daemon's last error after it ended; null while it has not. */
  readonly errorText: string | null;
  readonly ms: number;
}

function startError(
  home: Home,
  before: Health | null,
  command: RunningCommand | null,
  { errorText, ms }: StartAttempt,
): AppError {
  if (command !== null)
    return new AppError(
      "busy_with_work",
      `${runningCommandText(command)} is using ${home.dir}; run \`hookline up --wait\` to start the daemon when it finishes`,
    );
  // A full or read-only disk prevents the daemon from logging the error itself.
  const writeError = probeHomeWrite(home);
  if (writeError !== null) return writeError;
  const why =
    before === null
      ? "the daemon did not start"
      : `hookline ${before.version} (pid ${before.pid}) is shutting down, but the new daemon did not start`;
  const how = errorText === null ? ` within ${Math.ceil(ms / 1000)} s` : `: ${errorText}`;
  return new AppError("daemon_not_up", `${why}${how}; see ${home.daemonLog}`);
}

/** Set up at every manual start: folders, the launcher for hooks, and the log path. */
export async function prepareHome(home: Home, env: Env): Promise<void> {
  refuseSharedHome(home);
  makeFolder(home.spool);
  await writeLauncher(home, { nodePath: process.execPath, entry: realpathSync(process.argv[1]!) });
  saveStreamPath(home, env);
}

/** A hook's environment is not ours, so the log path must be known without it. */
export function saveStreamPath(home: Home, env: Env): void {
  const streamPath = env["KW_CHAT_STREAM_PATH"];
  const config = readConfigFile(home);
  if (streamPath === undefined || streamPath === "" || config["streamPath"] === streamPath) return;
  makeFolder(home.dir);
  writeAtomically(home.configFile, `${JSON.stringify({ ...config, streamPath }, null, 2)}\n`);
}
