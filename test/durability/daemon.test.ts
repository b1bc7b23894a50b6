import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { readCrashedStarts, recordStart } from "../../src/daemon/crash-loop.ts";
import { hookEntries } from "../../src/hook/commands.ts";
import { writeLauncher } from "../../src/hook/launcher.ts";
import { type Hookline, type HooklineOptions, openHookline } from "../support/hookline.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { RUNS, realRun } from "./payloads.ts";

const opened: Hookline[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((hookline) => hookline.close()));
});

function scratch({ preload, ...options }: HooklineOptions & { preload?: string } = {}): Hookline {
  const hookline = openHookline(options);
  opened.push(hookline);
  if (preload === undefined) return hookline;
  const path = join(hookline.root, "preload.mjs");
  writeFileSync(path, preload);
  return Object.assign(hookline, { env: Object.assign(hookline.env, { NODE_OPTIONS: `--import ${path}` }) });
}

/** Every sync of the log takes two seconds. */
const SLOW_SYNC = `
  import { open } from "node:fs/promises";
  const handle = await open("/dev/null");
  const { datasync } = Object.getPrototypeOf(handle);
  Object.getPrototypeOf(handle).datasync = async function () {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    return datasync.call(this);
  };
  await handle.close();`;

const CRASH = `if (process.argv[2] === "daemon") setTimeout(() => JSON.parse("what somebody said"), 700);`;

it("a second daemon names the one that serves the home, exits 1, and disturbs nothing", async () => {
  const hookline = scratch();
  const first = await hookline.start();
  const second = hookline.spawn();
  expect(await second.ended).toBe(1);
  expect(second.output()).toBe(`hookline: a daemon (pid ${first.pid}) already serves ${hookline.home.dir}\n`);
  await hookline.fire({ hook_event_name: "Stop", session_id: "still" });
  expect(await hookline.settle()).toMatchObject({ pid: first.pid, events: 1 });
});

it("starts ten daemons at once, and one remains", async () => {
  const hookline = scratch();
  const codes: (number | null)[] = [];
  const daemons = Array.from({ length: 10 }, () => hookline.spawn());
  for (const daemon of daemons) void daemon.ended.then((code) => codes.push(code));
  await until(() => codes.length >= 9);
  await setTimeout(1_000);
  expect(codes).toEqual(Array.from({ length: 9 }, () => 1));
  const { pid } = await hookline.ask<{ pid: number }>("GET", "/api/health");
  expect(daemons.map((daemon) => daemon.pid)).toContain(pid);
});

it("reports that no socket can be opened, exits 1, and leaves no partial daemon", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hookline-long-"));
  try {
    const homeDir = join(dir, "x".repeat(120));
    mkdirSync(homeDir);
    const hookline = scratch({ homeDir });
    const daemon = hookline.spawn();
    expect(await Promise.race([daemon.ended, setTimeout(5_000, "runs")])).toBe(1);
    expect(daemon.output()).toMatch(/^hookline: /);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

it("gives the same rows whether the daemon runs during a run or starts later", async () => {
  const runs = RUNS.flatMap((run) => realRun(run).map(({ payload }) => payload));
  // What is injected while a daemon runs is recorded as well; only the sessions' own events are compared.
  const inject = { startup: false, resume: false, compact: false, prompt: false };
  const [up, down] = [
    scratch({ config: { memory: { inject } } }),
    scratch({ config: { memory: { inject } } }),
  ];
  await up.start();
  const fireAll = async (hookline: Hookline): Promise<void> => {
    for (const payload of runs) {
      await hookline.fire(payload);
      // File birth times are as coarse as the kernel's tick; an agent is slower than that.
      await setTimeout(8);
    }
  };
  await Promise.all([fireAll(up), fireAll(down)]);
  expect(down.spoolFiles()).toHaveLength(runs.length);
  await down.start();
  const [first, second] = [await up.settle(), await down.settle()];
  expect(second).toMatchObject({ events: first.events, torn: 0, quarantined: 0, refused: 0 });
  expect(timeless(down)).toEqual(timeless(up));
});

it("uses almost no CPU when idle", async () => {
  const hookline = scratch();
  const daemon = await hookline.start();
  await hookline.fire({ hook_event_name: "Stop", session_id: "s" });
  await hookline.settle();
  // After its start it still releases memory, on a busy machine for a while.
  let used = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 6 && used >= 100; tries++) {
    const before = cpuMs(daemon.pid);
    await setTimeout(5_000);
    used = cpuMs(daemon.pid) - before;
    console.info(`idle: ${used} ms of CPU in 5 s`);
  }
  expect(used).toBeLessThan(100);
});

it("keeps everything accepted in log and database on SIGTERM while hooks fire, and starts again", async () => {
  const hookline = scratch({ config: { rotateBytes: 16 * 1024 } });
  let fired = 0;
  for (let round = 0; round < 4; round++) {
    const daemon = await hookline.start();
    const firing = (async () => {
      for (let shot = 0; shot < 25; shot++, fired++)
        await hookline.fire({ hook_event_name: "Stop", session_id: `s${round}`, n: shot });
    })();
    await setTimeout(60);
    expect(await daemon.kill("SIGTERM")).toBe(0);
    await firing;
  }
  await hookline.start();
  expect((await hookline.settle()).events).toBe(fired);
});

describe("a daemon whose home is slow or locked", () => {
  it("answers while the log's sync takes seconds, and says that the disk is slow", async () => {
    const hookline = scratch({ preload: SLOW_SYNC });
    await hookline.start();
    await hookline.status();
    await hookline.fire({ hook_event_name: "Stop", session_id: "slow" });
    const waits: number[] = [];
    while (hookline.spoolFiles().length > 0) {
      const begin = performance.now();
      const status = await hookline.status();
      waits.push(performance.now() - begin);
      // Still set after the answer, it was set when the answer was made.
      if (hookline.spoolFiles().length > 0) expect(status.spoolDepth).toBeGreaterThan(0);
      await setTimeout(50);
    }
    expect(waits.length).toBeGreaterThan(5);
    // A sync takes two.
    expect(Math.max(...waits)).toBeLessThan(1_900);
    const status = await hookline.settle();
    expect(status.lagMs).toBeGreaterThan(1_900);
    expect(status.notices.join("\n")).toMatch(/writing to the log took 2\.\d s/);
    expect(status.events).toBe(1);
  });

  it("serves before its database is open: health reports starting, other routes ask to retry", async () => {
    const hookline = scratch();
    await (await hookline.start()).kill("SIGTERM");
    const other = new DatabaseSync(hookline.home.db, { timeout: 5_000 });
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
    const daemon = await hookline.start();
    expect(await hookline.ask("GET", "/api/health")).toMatchObject({ ok: true, starting: true });
    await expect(hookline.status()).rejects.toThrow(/503 .*"code":"starting"/);
    expect(await hookline.run("status")).toMatchObject({
      code: 1,
      stderr: "hookline: the daemon is starting\n",
    });
    await hookline.fire({ hook_event_name: "Stop", session_id: "meanwhile" });
    other.close();
    expect(await hookline.settle()).toMatchObject({ events: 1 });
    expect(await hookline.ask("GET", "/api/health")).not.toHaveProperty("starting");
    expect((await hookline.status()).notices.join("\n")).toContain("the database is busy");
    expect(await daemon.kill("SIGTERM")).toBe(0);
  });

  it("can be stopped while it waits for its database", async () => {
    const hookline = scratch();
    await (await hookline.start()).kill("SIGTERM");
    const other = new DatabaseSync(hookline.home.db, { timeout: 5_000 });
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
    try {
      await hookline.start();
      expect(await hookline.run("down")).toMatchObject({ code: 0, stdout: "Stopped.\n" });
    } finally {
      other.close();
    }
  });
});

describe("a daemon that dies", () => {
  it("is started by the next session's hook, despite the pid file of the killed one", async () => {
    const hookline = scratch();
    await hookline.run("up");
    await hookline.run("down");
    const { pid, kill } = await hookline.start();
    await kill();
    expect(readFileSync(hookline.home.pidFile, "utf8")).toBe(`${pid}\n`);
    await startSession(hookline, "next");
    const now = await until(() => hookline.status().catch(() => null));
    expect(now.pid).not.toBe(pid);
    await hookline.run("down");
  });

  it("and whose pid another process has: `up` starts one, `status` reports it and lets hooks start one", async () => {
    const hookline = scratch();
    writeFileSync(hookline.home.lockFile, "");
    writeFileSync(hookline.home.pidFile, `${process.pid}\n`);
    const rest = await hookline.run("status");
    expect(rest.stdout).toContain(`The last daemon (pid ${process.pid}) was killed.`);
    expect(existsSync(hookline.home.pidFile)).toBe(false);
    writeFileSync(hookline.home.pidFile, `${process.pid}\n`);
    expect(await hookline.run("up")).toMatchObject({ code: 0 });
    expect((await hookline.status()).pid).not.toBe(process.pid);
    await hookline.run("down");
  });

  it("of an internal error logs the reason without the data it processed, and exits 1", async () => {
    const hookline = scratch({ preload: CRASH });
    const daemon = hookline.spawn();
    expect(await daemon.ended).toBe(1);
    const log = readFileSync(hookline.home.daemonLog, "utf8");
    expect(log).toMatch(/ error crashed: SyntaxError < JSON\.parse /);
    expect(log).not.toContain("what somebody said");
    expect(existsSync(hookline.home.pidFile)).toBe(false);
    const rest = await hookline.run("status");
    expect(rest.stdout).toContain("The daemon crashed soon after starting, last at ");
    expect(rest.stdout).toContain("crashed: SyntaxError");
  });

  it("three times within 10 s of its start is not started by hooks for ten minutes, but can be started by a person", async () => {
    const hookline = scratch({ preload: CRASH });
    for (let i = 0; i < 3; i++) expect(await hookline.spawn().ended).toBe(1);
    expect(readCrashedStarts(hookline.home.crashedStarts)).toHaveLength(3);
    const ran = join(hookline.root, "ran");
    const node = join(hookline.root, "node");
    writeFileSync(node, `#!/bin/sh\necho ran >>'${ran}'\n`, { mode: 0o755 });
    await writeLauncher(hookline.home, { nodePath: node, entry: node });
    const launch = (): number => {
      execFileSync(hookline.home.launcher);
      return existsSync(ran) ? readFileSync(ran, "utf8").length / 4 : 0;
    };
    expect(launch()).toBe(0);
    const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
    utimesSync(hookline.home.crashedStarts, minutes(-11), minutes(-11));
    expect(launch()).toBe(1);
    // The clock went back meanwhile, so the elapsed time is unknown.
    utimesSync(hookline.home.crashedStarts, minutes(600), minutes(600));
    expect(launch()).toBe(2);
    const up = await hookline.run("up");
    expect(up).toMatchObject({ code: 0, stderr: "" });
    await hookline.run("down");
    expect(readCrashedStarts(hookline.home.crashedStarts)).toEqual([]);
  });

  it("does not count as a crash loop once it has run for a while", async () => {
    const path = join(scratch().root, "lives");
    recordStart(path, "2026-01-01T00:00:00.000Z", 20);
    expect(readCrashedStarts(path)).toHaveLength(1);
    await until(() => readCrashedStarts(path).length === 0);
  });
});

/** A session start as Claude Code reports it, with the hook that may start the daemon. */
async function startSession(hookline: Hookline, id: string): Promise<void> {
  const payload = { hook_event_name: "SessionStart", session_id: id, source: "startup", cwd: "/" };
  const give = hookEntries(claude)["SessionStart"]!.find(({ matcher }) => matcher?.includes("startup"))!;
  const env = { ...hookline.env, HOOKLINE_AUTOSTART: "1" };
  const child = spawn("/bin/sh", ["-c", give.hooks[0]!.command], {
    env,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.on("error", () => undefined).end(`${JSON.stringify(payload)}\n`);
  await new Promise((resolve) => child.on("close", resolve));
}

async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (const end = Date.now() + PATIENCE_MS; ; await setTimeout(20)) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`it did not come to pass within ${PATIENCE_MS} ms`);
  }
}

/** User and system time: ticks of 10 ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The rows without creation times, and without the ids derived from them. */
function timeless(hookline: Hookline): Record<string, string[]> {
  const timed = new Set(["occurredAtIso", "pid", "permissionId", "id"]);
  const times = new Set(["id", "occurred_at_iso", "timestamp", "created_at", "updated_at_iso"]);
  const tables = Object.entries(hookline.dump()).filter(([name]) => name !== "lifecycle_stream_offsets");
  return Object.fromEntries(
    tables.map(([name, rows]) => [
      name,
      rows
        .map((row) => {
          const kept = Object.entries(row).map(([column, value]): [string, unknown] => {
            if (column === "completed_at") return [column, value !== null];
            if (column !== "raw_json" && column !== "payload_json") return [column, value];
            const parsed = JSON.parse(value as string) as Record<string, unknown>;
            return [column, Object.fromEntries(Object.entries(parsed).filter(([key]) => !timed.has(key)))];
          });
          return JSON.stringify(kept.filter(([column]) => !times.has(column) || isKeyed(name, column)));
        })
        .sort(),
    ]),
  );
}

/** Integer ids are derived from keys, not from time. */
function isKeyed(table: string, column: string): boolean {
  return column === "id" && ["sdk_sessions", "observations"].includes(table);
}
