import { type ChildProcess, spawn } from "node:child_process";
import { WATCH_AND_SWEEP } from "./sweep-script.ts";

/** A small `sh` process that slightly outlives us, to kill what we leave behind. */
export interface Watchdog {
  readonly pid: number | undefined;
  watch(name: string): void;
  unwatch(name: string): void;
  /** Resolves when the process has exited. */
  close(): Promise<void>;
}

/** It is restarted when killed, but not forever. */
const MAX_STARTS = 20;

export function openWatchdog(onNotice: (text: string) => void): Watchdog {
  const names = new Set<string>();
  let starts = 0;
  let isClosed = false;
  let child = start();

  function start(): ChildProcess {
    starts += 1;
    // Its own session: a signal to our group or a hang-up of our terminal must not reach it.
    const watchdog = spawn("/bin/sh", ["-c", WATCH_AND_SWEEP], {
      cwd: "/",
      detached: true,
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" },
      stdio: ["pipe", "ignore", "ignore"],
    });
    watchdog.unref();
    // Writing to an exited watchdog fails; `exit` reports that.
    watchdog.stdin.on("error", () => undefined);
    (watchdog.stdin as unknown as { unref?: () => void }).unref?.();
    watchdog.on("error", (error) =>
      onNotice(`the watchdog of driven sessions did not start: ${error.message}`),
    );
    watchdog.on("exit", () => {
      if (isClosed || watchdog !== child) return;
      if (starts >= MAX_STARTS) return onNotice("the watchdog of driven sessions ended too often and is off");
      onNotice("the watchdog of driven sessions was ended; another one watches now");
      child = start();
    });
    for (const name of names) watchdog.stdin.write(`+ ${name}\n`);
    return watchdog;
  }

  return {
    get pid() {
      return child.pid;
    },
    watch(name) {
      names.add(name);
      child.stdin?.write(`+ ${name}\n`);
    },
    unwatch(name) {
      if (names.delete(name)) child.stdin?.write(`- ${name}\n`);
    },
    async close() {
      isClosed = true;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.ref();
      child.stdin?.end();
      await ended;
    },
  };
}
