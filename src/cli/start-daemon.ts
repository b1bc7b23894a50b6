import { type ChildProcess, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { isRunByAgent } from "../agents/run-by-agent.ts";
import { AppError } from "../app-error.ts";
import { askDaemon, isCutOff } from "../client/ask-daemon.ts";
import { readConfigFile } from "../config.ts";
import { toLent } from "../control/lent-credentials.ts";
import { MARK_VARIABLE } from "../control/process/claude-processes.ts";
import { type CommandAtWork, commandAtWork, workText } from "../daemon/await-turn.ts";
import { refuseSharedHome, tryToWrite } from "../daemon/home-trouble.ts";
import { isLocked } from "../daemon/lock.ts";
import { writeAtomically } from "../files/atomic-file.ts";
import { makeFolder } from "../files/make-folder.ts";
import { namedPid } from "../files/pid-file.ts";
import type { Env, Home } from "../home.ts";
import { daemonEnv } from "../hook/give-command.ts";
import { writeLauncher } from "../hook/launcher.ts";
import { Health } from "../serve/contract.ts";
import { note } from "./output.ts";
import { askHandover, isToReplace, type TakeOverOptions } from "./take-over.ts";
import { lastWords } from "./why-down.ts";

const HEALTH_MS = 2_000;
const WAIT_MS = 20_000;
/** Also in `bin/hookline`. V8's default of 16 MB lets garbage grow to 150 MB: docs/decisions/0028-small-daemon.md. */
const DAEMON_FLAGS: readonly string[] = ["--max-semi-space-size=2"];

/** How the daemon came to be up. */
export type Came =
  | { readonly type: "started" | "ran" }
  | { readonly type: "took_over"; readonly from: Health; readonly closed: number };

/** Sees to it that a daemon of this version or a newer one runs, and returns when it serves. */
export async function bringUp(home: Home, env: Env, options: TakeOverOptions): Promise<Came> {
  const running = await askHealth(home);
  if (running === null) {
    await prepareHome(home, env);
    const child = spawnDaemon(env, namedPid(home), lentBy(env));
    await untilServing(home, null, { child, wait: options.wait });
    return { type: "started" };
  }
  if (!isToReplace(running, options.restart)) return { type: "ran" };
  // First, so that a hook in between starts this version.
  await prepareHome(home, env);
  let closed: number;
  try {
    closed = await askHandover(home, running, options);
  } catch (error) {
    // Somebody else was faster.
    const now = await askHealth(home);
    if (now !== null && now.pid !== running.pid && !isToReplace(now, false)) return { type: "ran" };
    throw error;
  }
  const child = spawnDaemon(env, running.pid, lentBy(env));
  await untilServing(home, running, { child, wait: options.wait });
  return { type: "took_over", from: running, closed };
}

/** By a hook: nobody waits, nothing that runs is replaced, and a spool folder that somebody removed stays away. */
export async function startByHook(home: Home, env: Env): Promise<void> {
  // One that does not answer is alive: another could not take its place.
  const isRunning = await askHealth(home).then(
    (health) => health !== null,
    () => true,
  );
  if (!isRunning) spawnDaemon(env, null, {});
}

async function askHealth(home: Home): Promise<Health | null> {
  try {
    return await askDaemon(home, Health, "/api/health", { timeoutMs: HEALTH_MS });
  } catch (error) {
    // A connection that breaks is of a daemon that ends.
    if (isCutOff(error)) return null;
    if ((error as AppError).code !== "daemon_silent") throw error;
    throw new AppError("daemon_silent", `the daemon of ${home.dir} does not answer; it was left as it is`, {
      cause: error,
    });
  }
}

/**
 * The login of a person's own terminal goes with the daemon, so that the pages can start sessions. That of an agent,
 * or of a hook, is not ours to take.
 */
function lentBy(env: Env): Record<string, string> {
  return isRunByAgent(env) || env[MARK_VARIABLE] ? {} : toLent(env);
}

/** `after`: one that may still be about to end. */
function spawnDaemon(env: Env, after: number | null, lent: Readonly<Record<string, string>>): ChildProcess {
  const kept = Object.fromEntries(
    daemonEnv.filter((key) => env[key] !== undefined).map((key) => [key, env[key]]),
  );
  const args = after === null ? [] : ["--after", String(after)];
  const flags = [...process.execArgv.filter((flag) => !DAEMON_FLAGS.includes(flag)), ...DAEMON_FLAGS];
  const child = spawn(process.execPath, [...flags, process.argv[1]!, "daemon", ...args], {
    cwd: "/",
    detached: true,
    env: { ...lent, ...kept },
    stdio: "ignore",
  });
  child.unref();
  return child;
}

interface Waiting {
  readonly child: ChildProcess;
  /** However long a command works in the home. */
  readonly wait: boolean;
}

/** A daemon that another start was faster than ends at once, and the other may still be starting. */
const ENDED_MS = 3_000;

async function untilServing(home: Home, before: Health | null, { child, wait }: Waiting): Promise<void> {
  let isTold = false;
  let endedMs: number | null = null;
  const beganMs = Date.now();
  let freeMs = beganMs;
  for (; ; await setTimeout(20)) {
    const health = await askHealth(home).catch(() => null);
    if (health !== null && health.pid !== before?.pid && health.starting !== true) return;
    const work = commandAtWork(home);
    if (work !== null && !isTold) {
      note(`${workText(work)} works in ${home.dir}; the daemon starts when it ends.`);
      isTold = true;
    }
    const now = Date.now();
    // Ours may have stood back for one that waits for the same command: that one begins when the command ends.
    if (work !== null) [freeMs, endedMs] = [now, null];
    else if (child.exitCode !== null && health === null) endedMs ??= now;
    const words = endedMs === null ? null : lastWords(home, beganMs);
    const mayBeOver = endedMs !== null && (words !== null || now - endedMs > ENDED_MS);
    const hasEnded = mayBeOver && !isLocked(home.lockFile);
    const isLate = now > (work === null ? freeMs : beganMs) + WAIT_MS && !(wait && work !== null);
    if (hasEnded || isLate) throw notUp(home, before, work, { words, ms: now - beganMs });
  }
}

interface Tried {
  /** What the daemon said when it ended; null while it has not. */
  readonly words: string | null;
  readonly ms: number;
}

function notUp(
  home: Home,
  before: Health | null,
  work: CommandAtWork | null,
  { words, ms }: Tried,
): AppError {
  if (work !== null)
    return new AppError(
      "busy_with_work",
      `${workText(work)} still works in ${home.dir}; the daemon starts when it ends, \`hookline up --wait\` waits for that`,
    );
  // A full or read-only disk keeps the daemon from saying so itself.
  const trouble = tryToWrite(home);
  if (trouble !== null) return trouble;
  const why =
    before === null
      ? "the daemon did not come up"
      : `hookline ${before.version} (pid ${before.pid}) agreed to hand over and was left to end by itself, but the next daemon did not come up`;
  const how = words === null ? ` within ${Math.ceil(ms / 1000)} s` : `: ${words}`;
  return new AppError("daemon_not_up", `${why}${how}; see ${home.daemonLog}`);
}

/** What a person's own start sets right: folders, the launcher for hooks, and where the log goes. */
export async function prepareHome(home: Home, env: Env): Promise<void> {
  refuseSharedHome(home);
  makeFolder(home.spool);
  await writeLauncher(home, { nodePath: process.execPath, entry: realpathSync(process.argv[1]!) });
  rememberStreamPath(home, env);
}

/** The environment of a hook is not ours: where the log goes must be known without it. */
export function rememberStreamPath(home: Home, env: Env): void {
  const streamPath = env["KW_CHAT_STREAM_PATH"];
  const config = readConfigFile(home);
  if (streamPath === undefined || streamPath === "" || config["streamPath"] === streamPath) return;
  makeFolder(home.dir);
  writeAtomically(home.configFile, `${JSON.stringify({ ...config, streamPath }, null, 2)}\n`);
}
