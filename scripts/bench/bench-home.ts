// A private home under the system's temporary folder, and daemons in it. Never touches the caller's home.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type Home, resolveHome } from "../../src/home.ts";

export interface BenchHome {
  readonly root: string;
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  spoolDepth(): number;
  /** Read-only; the daemon must have created the database. */
  openDatabase(): DatabaseSync;
  remove(): void;
}

export interface RunningDaemon {
  readonly pid: number;
  /** Resolves when `/api/health` answers on the unix socket, with the time since the spawn. */
  untilHealthy(): Promise<number>;
  /** User and system time of all its threads, from /proc. */
  cpuMs(): number;
  rssMb(): { readonly now: number; readonly peak: number };
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const bin = join(import.meta.dirname, "..", "..", "bin", "hookline");
const running = new Set<ChildProcess>();
const folders = new Set<string>();

export function createBenchHome(): BenchHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-bench-")));
  const place = benchHomeAt(root, join(root, ".hookline"));
  mkdirSync(place.home.spool, { recursive: true, mode: 0o700 });
  folders.add(root);
  return place;
}

/** Uses a home that the caller created and removes. */
export function benchHomeAt(root: string, dir: string): BenchHome {
  const { PATH = "/usr/bin:/bin", LANG = "C.UTF-8" } = process.env;
  const env = { HOME: root, HOOKLINE_HOME: dir, HOOKLINE_PORT: "0", PATH, LANG };
  const home = resolveHome(env);
  return {
    root,
    home,
    env,
    spoolDepth: () => readdirSync(home.spool).length,
    openDatabase: () => {
      const db = new DatabaseSync(home.db, { readOnly: true });
      db.exec("PRAGMA busy_timeout = 1000");
      return db;
    },
    remove: () => {
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      folders.delete(root);
    },
  };
}

export function runCli(place: BenchHome, ...args: string[]): string {
  return execFileSync(bin, args, { env: place.env, cwd: place.root, encoding: "utf8" });
}

/** `program` overrides this clone's binary, e.g. with the result of `installPackage`. */
export function spawnDaemon(place: BenchHome, program = bin): RunningDaemon {
  // Otherwise a socket left by a killed daemon would be queried before the new one listens.
  rmSync(place.home.sock, { force: true });
  const spawnedAt = performance.now();
  const child = spawn(program, ["daemon"], { cwd: "/", env: place.env, stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  running.add(child);
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => {
      running.delete(child);
      resolve();
    });
  });
  const pid = child.pid!;
  return {
    pid,
    async untilHealthy() {
      for (;;) {
        if (existsSync(place.home.sock) && (await isHealthy(place.home.sock)))
          return performance.now() - spawnedAt;
        if (child.exitCode !== null) throw new Error(`the daemon ended by itself: ${complaint}`);
        if (performance.now() - spawnedAt > 30_000) throw new Error("the daemon is not healthy after 30 s");
        await sleep(1);
      }
    },
    cpuMs: () => cpuMsOf(pid),
    rssMb: () => {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const mb = (key: string): number =>
        Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1_024;
      return { now: mb("VmRSS"), peak: mb("VmHWM") };
    },
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
    },
  };
}

/** Returns a scratch folder that is removed when the bench ends. */
export function createScratchFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `hookline-${name}-`)));
  folders.add(folder);
  return folder;
}

/** Runs last, even after a failure, so that no daemon or folder is left behind. */
export function removeBenchHomes(): void {
  for (const child of running) child.kill("SIGKILL");
  for (const root of folders) rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

function isHealthy(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request({ socketPath, path: "/api/health", timeout: 30_000 }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode === 200));
    });
    call.on("error", () => resolve(false));
    call.end();
  });
}

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Skip the name, which may contain anything: state is field 3, utime 14, stime 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}
