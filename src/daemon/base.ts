import type { AgentTable } from "../agents/agent-table.ts";
import { agents as known } from "../agents/registry.ts";
import { AppError } from "../app-error.ts";
import { type Config, loadConfig } from "../config.ts";
import { noteLockedFiles } from "../files/locked-files.ts";
import { makeFolder } from "../files/make-folder.ts";
import type { Env, Home } from "../home.ts";
import { createListeners } from "../listeners.ts";
import { createSlowTeller, type TellSlow } from "../tell-slow.ts";
import { awaitTurn, noteWork, workText } from "./await-turn.ts";
import { type ClockStep, type ClockWatch, watchClock } from "./clock.ts";
import { beginLife } from "./crash-loop.ts";
import { openDaemonLog, type WriteLog } from "./daemon-files.ts";
import { isAnswered, type TakenHome, watchTakenHome } from "./home-lost.ts";
import { refuseSharedHome } from "./home-trouble.ts";
import { whoHolds } from "./notices.ts";
import type { Scope } from "./scope.ts";

export interface DaemonOptions {
  /** Instead of those that this version knows. */
  readonly agents?: AgentTable;
  readonly serve?: boolean;
  /** The pid of a daemon that hands over and is waited for. */
  readonly after?: number | undefined;
  /** Which command this is, for whoever waits for its end. Without `serve` only. */
  readonly command?: string;
}

/** What every part of the daemon stands on: the home, which is ours alone, its settings, a clock, and who is told of trouble. */
export interface Base {
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  readonly agents: AgentTable;
  /** False for a command that found no daemon and does its work itself. */
  readonly isDaemon: boolean;
  readonly startedAtIso: string;
  readonly scope: Scope;
  readonly clock: DaemonClock;
  readonly taken: TakenHome;
  readonly writeLog: WriteLog;
  /** For a person: in the daemon's log and among the notices of `status`. */
  readonly notice: (message: string) => void;
  readonly notices: readonly string[];
  readonly tellSlow: TellSlow;
  readonly nowMs: () => number;
}

export interface DaemonClock extends ClockWatch {
  onStep(listener: (step: ClockStep) => void): void;
  onDay(listener: () => void): void;
}

const NOTICES = 50;

/** Takes the home. Nobody else works in it until the scope closes. */
export async function openBase(home: Home, env: Env, options: DaemonOptions, scope: Scope): Promise<Base> {
  // Everything of ours is for its owner alone, also what SQLite makes.
  process.umask(0o077);
  refuseSharedHome(home);
  makeFolder(home.dir);
  const isDaemon = options.serve !== false;
  await takeHome(home, options, scope);
  const taken = watchTakenHome(home);
  scope.defer(() => taken.close());
  scope.abandonWhen(() => !taken.isOurs());
  const startedAtIso = new Date().toISOString();
  const life = isDaemon ? beginLife(home.shortLives, startedAtIso) : null;
  const { config } = loadConfig(home, env);
  const writeToLog = openDaemonLog(home.daemonLog, config.logLevel);
  const writeLog: WriteLog = (level, message) => {
    if (taken.isOurs()) writeToLog(level, message);
  };
  scope.defer((ending) => {
    if (ending === "stopped") life?.end();
    if (ending !== "not started") writeLog("info", "stopped");
  });
  const notices: string[] = [];
  const notice = (message: string): void => {
    notices.push(`${new Date().toISOString()} ${message}`);
    if (notices.length > NOTICES) notices.shift();
    writeLog("warn", message);
  };
  const clock = openClock();
  scope.defer(() => clock.close());
  return {
    home,
    env,
    config,
    agents: options.agents ?? known,
    isDaemon,
    startedAtIso,
    scope,
    clock,
    taken,
    writeLog,
    notice,
    notices,
    tellSlow: createSlowTeller(notice),
    nowMs: Date.now,
  };
}

async function takeHome(home: Home, options: DaemonOptions, scope: Scope): Promise<void> {
  const isDaemon = options.serve !== false;
  const lock = await awaitTurn(home, {
    after: options.after,
    isDaemon,
    onWait: (work) =>
      openDaemonLog(home.daemonLog, "info")("info", `waiting until ${workText(work)} is done in ${home.dir}`),
  });
  if (lock === null) throw new AppError("daemon_running", whoHolds(home));
  scope.defer(() => lock.release());
  noteLockedFiles([home.lockFile, home.nextLockFile, home.db, home.searchDb]);
  if (await isAnswered(home)) throw new AppError("daemon_running", whoHolds(home));
  if (isDaemon) return;
  const atWork = noteWork(home, options.command ?? "");
  scope.defer(() => atWork.release());
}

function openClock(): DaemonClock {
  const steps = createListeners<[ClockStep]>();
  const days = createListeners<[]>();
  const watch = watchClock({ onStep: steps.tell, onDay: days.tell });
  return { ...watch, onStep: steps.add, onDay: days.add };
}
