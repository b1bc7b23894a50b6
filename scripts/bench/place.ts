// A home of its own under the system's temporary folder, and daemons in it. Nothing of the caller's is touched.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type Home, resolveHome } from "../../src/home.ts";

export interface Place {
  readonly root: string;
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  spoolDepth(): number;
  /** Read-only; the daemon must have made the database. */
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
const places = new Set<string>();

export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-bench-")));
  const place = placeAt(root, join(root, ".hookline"));
  mkdirSync(place.home.spool, { recursive: true, mode: 0o700 });
  places.add(root);
  return place;
}

/** A place in a home that somebody else made and removes. */
export function placeAt(root: string, dir: string): Place {
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
      places.delete(root);
    },
  };
}

export function runCli(place: Place, ...args: string[]): string {
  return execFileSync(bin, args, { env: place.env, cwd: place.root, encoding: "utf8" });
}

/** `program`: another one than this clone's, as `installPackage` gives it. */
export function spawnDaemon(place: Place, program = bin): RunningDaemon {
  // A socket left by a killed daemon would be asked before the new one is there.
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

/** A folder of the bench's own, gone at its end. */
export function makeFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `hookline-${name}-`)));
  places.add(folder);
  return folder;
}

/** The last thing a bench does, also when it failed: no daemon and no folder stays behind. */
export function sweepPlaces(): void {
  for (const child of running) child.kill("SIGKILL");
  for (const root of places) rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
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
  // After the name, which may hold anything: state is field 3, utime 14, stime 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}
