import { execFile, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Env } from "../../home.ts";
import { processStart } from "../../monitor/processes.ts";
import type { ClaudeProcesses } from "../control-ports.ts";
import { SWEEP_ONCE } from "./sweep-script.ts";
import { openWatchdog, type Watchdog } from "./watchdog.ts";

/** Set in the environment of a driven claude and its descendants, to find them again. */
export const MARK_VARIABLE = "HOOKLINE_DRIVEN";

export interface ClaudeProcessesOptions {
  readonly env: Env;
  readonly onNotice: (text: string) => void;
}

/**
 * Starts claude so that nothing of it outlives us, even if we are killed. On Linux the kernel signals it when
 * we die (where `setpriv` can request that); everywhere a watchdog kills it with all it started. What escapes
 * on macOS, where environments are hidden: a process that left its group *and* lost its parent before.
 */
export function openClaudeProcesses({ env, onNotice }: ClaudeProcessesOptions): ClaudeProcesses {
  const names = new Map<number, string>();
  const sweeps = new Map<number, Promise<void>>();
  let watchdog: Watchdog | undefined;
  let prefix: readonly string[] | undefined;

  function killTree(pid: number): Promise<void> {
    const running = sweeps.get(pid);
    if (running !== undefined) return running;
    const name = names.get(pid);
    // Not ours, or already gone: the pid may belong to another process by now.
    if (name === undefined) return Promise.resolve();
    const done = sweep(name, env)
      .then((isClean) => {
        if (!isClean) onNotice(`something that the claude with pid ${pid} started did not end`);
      })
      .finally(() => sweeps.delete(pid));
    sweeps.set(pid, done);
    return done;
  }

  return {
    spawn(options) {
      watchdog ??= openWatchdog(onNotice);
      prefix ??= parentDeathPrefix(env);
      const mark = randomUUID();
      // `spawn` itself reports a missing file clearly.
      const isMissing = isAbsolute(options.command) && !existsSync(options.command);
      const [command, ...args] = [...(isMissing ? [] : prefix), options.command, ...options.args];
      const child = spawn(command!, args, {
        cwd: options.cwd,
        env: { ...options.env, [MARK_VARIABLE]: mark },
        stdio: ["pipe", "pipe", "pipe"],
        // Its own group and session, so that it can be killed as a whole.
        detached: true,
      });
      const { pid } = child;
      if (pid === undefined) return child;
      const name = nameOf(pid, mark);
      names.set(pid, name);
      watchdog.watch(name);
      // Drain it: a full pipe would block claude.
      child.stderr.on("data", () => undefined);
      const abort = (): void => void killTree(pid);
      if (options.signal.aborted) abort();
      else options.signal.addEventListener("abort", abort, { once: true });
      child.once("exit", () => {
        options.signal.removeEventListener("abort", abort);
        // What it left behind is killed with it, and watched until then.
        void killTree(pid).finally(() => {
          names.delete(pid);
          watchdog?.unwatch(name);
        });
      });
      return child;
    },

    killTree,

    async close() {
      await Promise.all([...names.keys()].map(killTree));
      const current = watchdog;
      watchdog = undefined;
      await current?.close();
    },
  };
}

function nameOf(pid: number, mark: string): string {
  const start = process.platform === "linux" ? processStart(pid) : null;
  return `${pid}/${start ?? "-"}/${mark}`;
}

/** Returns whether nothing is left. The script itself limits this to about three seconds. */
function sweep(name: string, env: Env): Promise<boolean> {
  return new Promise((resolve) => {
    const path = { PATH: env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" };
    execFile("/bin/sh", ["-c", SWEEP_ONCE, "sh", name], { env: path, cwd: "/" }, (error) =>
      resolve(error === null),
    );
  });
}

/** Command prefix that makes the kernel send TERM when we die; empty where that is unsupported. */
export function parentDeathPrefix(env: Env): readonly string[] {
  if (process.platform !== "linux") return [];
  const folders = [...(env["PATH"] ?? "").split(delimiter).filter(isAbsolute), "/usr/bin", "/bin"];
  const setpriv = folders.map((folder) => join(folder, "setpriv")).find((path) => existsSync(path));
  if (setpriv === undefined) return [];
  const args = ["--pdeathsig", "TERM", "--"];
  const probe = spawnSync(setpriv, [...args, "true"], { stdio: "ignore", timeout: 5_000 });
  return probe.status === 0 ? [setpriv, ...args] : [];
}
