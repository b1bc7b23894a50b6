import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { HookedAgent } from "../agents/installer.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { type Config, loadConfig, logFile } from "../config.ts";
import { readWaitingHooks } from "../control/waiting-hooks.ts";
import { isLocked } from "../daemon/lock.ts";
import { type Env, type Home, resolveHome } from "../home.ts";
import { type InspectedSettings, inspectHooks } from "../hook/inspect-hooks.ts";
import type { LaunchTarget } from "../hook/launcher.ts";
import type { LogReader } from "../log/log.ts";
import type { WaitingHook } from "../policy/layers.ts";
import { DaemonStatus, Health } from "../serve/contract.ts";
import type { Store } from "../store/store.ts";

export type DaemonState =
  | { readonly type: "answers"; readonly health: Health; readonly status: DaemonStatus | null }
  /** The home's lock is held, but no daemon answers. */
  | { readonly type: "silent" }
  | { readonly type: "down" };

/** Everything the checks inspect. What several checks need is fetched once. */
export interface CheckContext {
  /** The agent whose hooks are checked. */
  readonly agent: HookedAgent;
  readonly env: Env;
  readonly home: Home;
  readonly cwd: string;
  /** The project whose settings the agent would read in `cwd`. */
  readonly projectDir: string;
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  readonly fixing: boolean;
  /** What a newly written launcher would start. */
  readonly launch: LaunchTarget;
  openLog(config: Config): LogReader;
  openStore(): Promise<Store>;
  /** Like a hook: in the background, without waiting. */
  startDaemon(): Promise<void>;
  nowMs(): number;
  uid(): number | undefined;
  settings(): Promise<readonly InspectedSettings[]>;
  daemon(): Promise<DaemonState>;
  /** Null if invalid. */
  config(): Config | null;
  /** Events at which the user's rules may reply to a session; undefined if the rules cannot be read. */
  waitingHooks(): readonly WaitingHook[] | undefined;
  /** The folders whose disk matters: the home's and the log's, if they exist. */
  dataFolders(): readonly string[];
  disk(path: string): Promise<{ readonly type: number; readonly freeBytes: number }>;
}

export type CheckContextOptions = Partial<
  Pick<CheckContext, "platform" | "nodeVersion" | "nowMs" | "uid" | "disk" | "daemon">
> & {
  readonly agent: HookedAgent;
  readonly env: Env;
  readonly cwd: string;
  readonly fixing: boolean;
  readonly launch: LaunchTarget;
  readonly ports: DoctorPorts;
  readonly managedDir?: string;
};

/** Capabilities that the caller of the checks provides. */
export interface DoctorPorts {
  openLog(home: Home, config: Config): LogReader;
  openStore(home: Home): Promise<Store>;
  startDaemon(home: Home, env: Env): Promise<void>;
}

const ANSWER_TIMEOUT_MS = 2_000;

export function createCheckContext(options: CheckContextOptions): CheckContext {
  const { agent, env, cwd, managedDir, platform = process.platform } = options;
  const home = resolveHome(env);
  const projectDir = projectOf(agent, cwd);
  const config = once(() => readConfig(home, env));
  const waitingHooks = once(() => tryReadWaitingHooks(home));
  return {
    nodeVersion: process.versions.node,
    nowMs: Date.now,
    uid: () => process.getuid?.(),
    daemon: once(() => findDaemon(home)),
    disk: async (path) => {
      const { type, bavail, bsize } = await statfs(path);
      return { type, freeBytes: bavail * bsize };
    },
    ...options,
    openLog: (logConfig) => options.ports.openLog(home, logConfig),
    openStore: () => options.ports.openStore(home),
    startDaemon: () => options.ports.startDaemon(home, env),
    home,
    projectDir,
    platform,
    settings: once(() =>
      inspectHooks({
        agent,
        env,
        projectDir,
        platform,
        react: waitingHooks(),
        ...(managedDir && { managedDir }),
      }),
    ),
    config,
    waitingHooks,
    dataFolders: () => {
      const log = config() === null ? home.stream : dirname(logFile(home, config()!));
      return [home.dir, log].filter((folder) => existsSync(folder));
    },
  };
}

/** The folder itself if it has settings; else its repository. */
function projectOf({ installer }: HookedAgent, cwd: string): string {
  return installer.settings.existsIn(cwd) ? cwd : (createProjectOf()(cwd) ?? cwd);
}

function readConfig(home: Home, env: Env): Config | null {
  try {
    return loadConfig(home, env).config;
  } catch {
    return null;
  }
}

/** Undefined if the rules cannot be read; `rules_valid` reports that. */
function tryReadWaitingHooks(home: Home): WaitingHook[] | undefined {
  try {
    return readWaitingHooks(home);
  } catch {
    return undefined;
  }
}

async function findDaemon(home: Home): Promise<DaemonState> {
  let health: Health | null;
  try {
    health = await askDaemon(home, Health, "/api/health", { timeoutMs: ANSWER_TIMEOUT_MS });
  } catch {
    return { type: "silent" };
  }
  if (health === null) return { type: isHomeLocked(home) ? "silent" : "down" };
  // A daemon of another version may report its status in a different shape.
  const status = await askDaemon(home, DaemonStatus, "/api/status", { timeoutMs: ANSWER_TIMEOUT_MS }).catch(
    () => null,
  );
  return { type: "answers", health, status };
}

/** An unwritable home cannot be locked either. */
function isHomeLocked(home: Home): boolean {
  try {
    return isLocked(home.lockFile);
  } catch {
    return false;
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
