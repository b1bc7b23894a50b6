import type { AgentTable } from "../agents/agent-table.ts";
import { agents as known } from "../agents/registry.ts";
import { AppError } from "../app-error.ts";
import { type Config, loadConfig } from "../config.ts";
import { registerLockedFiles } from "../files/locked-files.ts";
import { makeFolder } from "../files/make-folder.ts";
import type { Env, Home } from "../home.ts";
import { createListeners } from "../listeners.ts";
import { createSlowReporter, type ReportSlow } from "../report-slow.ts";
import { acquireHomeLock, runningCommandText, writeRunningCommand } from "./acquire-home.ts";
import { type AcquiredHome, isDaemonAnswering, watchAcquiredHome } from "./acquired-home.ts";
import { type ClockStep, type ClockWatch, watchClock } from "./clock.ts";
import { recordStart } from "./crash-loop.ts";
import { openDaemonLog, type WriteLog } from "./daemon-files.ts";
import { lockHolderText } from "./daemon-messages.ts";
import { refuseSharedHome } from "./home-errors.ts";
import type { Scope } from "./scope.ts";

export interface DaemonOptions {
  /** Replaces the agents that this version knows. */
  readonly agents?: AgentTable;
  readonly serve?: boolean;
  /** Pid of the daemon that is handing over, to wait for. */
  readonly afterPid?: number | undefined;
  /** Names this command, for processes that wait for its end. Only without `serve`. */
  readonly command?: string;
}

/** What every part of the daemon builds on: the home, held exclusively, settings, clock, error reports. */
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
  readonly acquiredHome: AcquiredHome;
  readonly writeLog: WriteLog;
  /** Shown to the user, in the daemon's log and among the notices of `status`. */
  readonly notice: (message: string) => void;
  readonly notices: readonly string[];
  readonly reportSlow: ReportSlow;
  readonly nowMs: () => number;
}

export interface DaemonClock extends ClockWatch {
  onStep(listener: (step: ClockStep) => void): void;
  onDay(listener: () => void): void;
}

const MAX_NOTICES = 50;

/** Claims the home. No other process works in it until the scope closes. */
export async function openBase(home: Home, env: Env, options: DaemonOptions, scope: Scope): Promise<Base> {
  // All our files are readable by their owner only, including those that SQLite creates.
  process.umask(0o077);
  refuseSharedHome(home);
  makeFolder(home.dir);
  const isDaemon = options.serve !== false;
  await acquireHome(home, options, scope);
  const acquiredHome = watchAcquiredHome(home);
  scope.defer(() => acquiredHome.close());
  scope.abandonWhen(() => !acquiredHome.isOurs());
  const startedAtIso = new Date().toISOString();
  const recordedStart = isDaemon ? recordStart(home.crashedStarts, startedAtIso) : null;
  const { config } = loadConfig(home, env);
  const writeToLog = openDaemonLog(home.daemonLog, config.logLevel);
  const writeLog: WriteLog = (level, message) => {
    if (acquiredHome.isOurs()) writeToLog(level, message);
  };
  scope.defer((ending) => {
    if (ending === "stopped") recordedStart?.end();
    if (ending !== "not started") writeLog("info", "stopped");
  });
  const notices: string[] = [];
  const notice = (message: string): void => {
    notices.push(`${new Date().toISOString()} ${message}`);
    if (notices.length > MAX_NOTICES) notices.shift();
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
    acquiredHome: acquiredHome,
    writeLog,
    notice,
    notices,
    reportSlow: createSlowReporter(notice),
    nowMs: Date.now,
  };
}

async function acquireHome(home: Home, options: DaemonOptions, scope: Scope): Promise<void> {
  const isDaemon = options.serve !== false;
  const lock = await acquireHomeLock(home, {
    afterPid: options.afterPid,
    isDaemon,
    onWait: (work) =>
      openDaemonLog(home.daemonLog, "info")(
        "info",
        `waiting until ${runningCommandText(work)} is done in ${home.dir}`,
      ),
  });
  if (lock === null) throw new AppError("daemon_running", lockHolderText(home));
  scope.defer(() => lock.release());
  registerLockedFiles([home.lockFile, home.nextLockFile, home.db, home.searchDb]);
  if (await isDaemonAnswering(home)) throw new AppError("daemon_running", lockHolderText(home));
  if (isDaemon) return;
  const runningCommand = writeRunningCommand(home, options.command ?? "");
  scope.defer(() => runningCommand.release());
}

function openClock(): DaemonClock {
  const steps = createListeners<[ClockStep]>();
  const days = createListeners<[]>();
  const watch = watchClock({ onStep: steps.emit, onDay: days.emit });
  return { ...watch, onStep: steps.add, onDay: days.add };
}
