import { execFile, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { handoverRefusal } from "../../src/daemon/handover.ts";
import { hookEntries } from "../../src/hook/commands.ts";
import type { Health } from "../../src/serve/contract.ts";
import { type CommandResult, type Hookline, openHookline } from "../support/hookline.ts";

const REPO = join(import.meta.dirname, "../..");

/** The program as another version of itself, next to this one. */
let versions: string;
const bins: Record<string, string> = {};
beforeAll(() => {
  versions = mkdtempSync(join(tmpdir(), "hookline-versions-"));
  for (const version of ["0.1.0", "0.2.0-rc.1", "0.2.0"]) {
    const dir = join(versions, version);
    mkdirSync(dir);
    for (const name of ["src", "bin"]) cpSync(join(REPO, name), join(dir, name), { recursive: true });
    symlinkSync(join(REPO, "node_modules"), join(dir, "node_modules"));
    const about = JSON.parse(readFileSync(join(REPO, "package.json"), "utf8")) as Record<string, unknown>;
    writeFileSync(join(dir, "package.json"), JSON.stringify({ ...about, version }));
    bins[version] = join(dir, "bin/hookline");
  }
});
afterAll(() => {
  // A daemon that lost a race, or that a hook started while its home was being removed.
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const isOurs = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(versions);
      if (isOurs) process.kill(Number(pid), "SIGKILL");
    } catch {
      // Already ended, or another user's.
    }
  }
  rmSync(versions, { recursive: true, force: true });
});

let hookline: Hookline;

function run(version: string, ...args: string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(bins[version]!, args, { env: hookline.env, cwd: "/", timeout: 50_000 });
    let [stdout, stderr] = ["", ""];
    child.stdout!.on("data", (text: string) => {
      stdout += text;
    });
    child.stderr!.on("data", (text: string) => {
      stderr += text;
    });
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

async function health(): Promise<Health | null> {
  return hookline.ask<Health>("GET", "/api/health").catch(() => null);
}

/** A session start as Claude Code reports it, with the hook that may start the daemon. */
async function startSession(id: string): Promise<void> {
  const payload = { hook_event_name: "SessionStart", session_id: id, source: "startup", cwd: "/" };
  for (const { matcher, hooks } of hookEntries(claude)["SessionStart"]!) {
    if (matcher !== undefined && !/startup/.test(matcher)) continue;
    const child = spawn("/bin/sh", ["-c", hooks[0]!.command], {
      env: { ...hookline.env, HOOKLINE_AUTOSTART: "1" },
      cwd: "/",
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.stdin.on("error", () => undefined).end(`${JSON.stringify(payload)}\n`);
    await new Promise((resolve) => child.on("close", resolve));
  }
}

/** Ended, or a zombie not yet reaped by its current parent. */
async function ended(pid: number): Promise<void> {
  const state = (): string => {
    try {
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]![0]!;
    } catch {
      return "gone";
    }
  };
  await expect.poll(() => ["gone", "Z"].includes(state())).toBe(true);
}

function logged(pattern: RegExp): string[] {
  return readFileSync(hookline.home.daemonLog, "utf8")
    .split("\n")
    .filter((line) => pattern.test(line));
}

describe("two versions on one home", () => {
  beforeEach(() => {
    hookline = openHookline();
  });
  afterEach(async () => {
    await run("0.2.0", "down");
    await hookline.close();
  });

  it("the newer takes over once while hooks fire, without losing or duplicating anything", async () => {
    expect(await run("0.1.0", "up")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/0\.1\.0 is up/),
    });
    const old = (await health())!;
    expect(old.version).toBe("0.1.0");
    let fired = 0;
    let isFiring = true;
    const firing = [0, 1].map(async (lane) => {
      while (isFiring) {
        await hookline.fire({ hook_event_name: "Stop", session_id: `lane-${lane}`, n: fired });
        fired++;
        await setTimeout(20);
      }
    });
    await setTimeout(300);
    const up = await run("0.2.0", "up");
    expect(up).toMatchObject({ code: 0, stderr: "" });
    expect(up.stdout).toContain(`in place of 0.1.0 (pid ${old.pid}), which ended in order`);
    const now = (await health())!;
    expect(now.version).toBe("0.2.0");
    await setTimeout(300);
    isFiring = false;
    await Promise.all(firing);
    await ended(old.pid);

    for (let round = 0; round < 6; round++) {
      const command = [["status"], ["up"], ["tail", "-n", "1"]][round % 3]!;
      expect(await run("0.1.0", ...command)).toMatchObject({ code: 0 });
      expect(await run("0.2.0", ...command)).toMatchObject({ code: 0 });
      await startSession(`started-${round}`);
      expect((await health())!.pid).toBe(now.pid);
    }
    const status = await hookline.settle();
    expect(status).toMatchObject({ pid: now.pid, torn: 0, quarantined: 0, refused: 0 });
    expect(hookline.query("SELECT count(*) AS n FROM events WHERE session_id LIKE 'lane-%'")[0]!["n"]).toBe(
      fired,
    );
    expect(logged(/ handing over to /)).toHaveLength(1);
    expect(readFileSync(hookline.home.launcher, "utf8")).toContain("# version 0.2.0\n");
  });

  it("a pre-release hands over to its release, not to itself, and never downward", async () => {
    expect(await run("0.2.0-rc.1", "up")).toMatchObject({ code: 0 });
    const first = (await health())!;
    expect((await run("0.1.0", "up")).stdout).toContain("0.2.0-rc.1 was up already");
    const down = await run("0.1.0", "up", "--restart");
    expect(down).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("a newer daemon is running (0.2.0-rc.1; this is 0.1.0)"),
    });
    expect((await run("0.2.0-rc.1", "up")).stdout).toContain("was up already");
    expect((await health())!.pid).toBe(first.pid);
    expect(await run("0.2.0", "up")).toMatchObject({ code: 0 });
    expect((await health())!.version).toBe("0.2.0");
  });

  it("concurrent ups of the newer start one daemon, and all report it", async () => {
    await run("0.1.0", "up");
    const ups = await Promise.all(Array.from({ length: 4 }, () => run("0.2.0", "up")));
    expect(ups.map(({ code, stderr }) => [code, stderr])).toEqual(ups.map(() => [0, ""]));
    const pids = ups.map(({ stdout }) => /Hookline 0\.2\.0 [^(]*\(pid (\d+)\)/.exec(stdout)?.[1]);
    expect(new Set(pids)).toEqual(new Set([String((await health())!.pid)]));
    expect(logged(/ handing over to /).length).toBeGreaterThanOrEqual(1);
  });

  it("up --restart replaces a daemon of the same version", async () => {
    await run("0.2.0", "up");
    const first = (await health())!;
    expect((await run("0.2.0", "up", "--restart")).stdout).toContain("is up");
    expect((await health())!.pid).not.toBe(first.pid);
  });

  it("a daemon busy with a rebuild says so, and up --wait waits for its end", async () => {
    await run("0.1.0", "up");
    const other = new DatabaseSync(hookline.home.db, { timeout: 5_000 });
    try {
      // A locked database makes a rebuild last.
      other.exec("BEGIN EXCLUSIVE");
      await hookline.fire({ hook_event_name: "Stop", session_id: "waits" });
      while (hookline.spoolFiles().length > 0) await setTimeout(20);
      const rebuilt = hookline.ask("POST", "/api/rebuild");
      await setTimeout(100);
      expect(await run("0.2.0", "up")).toMatchObject({
        code: 1,
        stderr: "hookline: hookline 0.1.0 is busy with a rebuild; `hookline up --wait` waits for its end\n",
      });
      const waiting = run("0.2.0", "up", "--wait");
      await setTimeout(1_000);
      expect((await health())!.version).toBe("0.1.0");
      other.exec("ROLLBACK");
      expect(await rebuilt).toEqual({ events: 1, sessions: 1 });
      expect(await waiting).toMatchObject({ code: 0 });
      expect((await health())!.version).toBe("0.2.0");
    } finally {
      other.close();
    }
  });

  it("a hanging daemon is left alone, and continues when it wakes", async () => {
    await run("0.1.0", "up");
    const old = (await health())!;
    process.kill(old.pid, "SIGSTOP");
    const asked = hookline.ask("POST", "/api/handover", { version: "9.0.0", untilMs: Date.now() + 500 });
    const up = await run("0.2.0", "up");
    expect(up).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("does not answer; nothing was changed"),
    });
    process.kill(old.pid, "SIGCONT");
    await expect(asked).rejects.toThrow("handover_late");
    await hookline.fire({ hook_event_name: "Stop", session_id: "awake" });
    expect(await hookline.settle()).toMatchObject({ pid: old.pid, events: 1 });
  });

  it("a launcher of a newer version stays until its program is removed", async () => {
    await run("0.2.0", "up");
    await run("0.2.0", "down");
    await run("0.1.0", "up");
    expect((await health())!.version).toBe("0.1.0");
    expect(readFileSync(hookline.home.launcher, "utf8")).toContain("# version 0.2.0\n");
    await run("0.1.0", "down");
    const text = readFileSync(hookline.home.launcher, "utf8");
    writeFileSync(hookline.home.launcher, text.replaceAll("/bin/main.mjs", "/gone/main.mjs"));
    await run("0.1.0", "up");
    expect(readFileSync(hookline.home.launcher, "utf8")).toContain("# version 0.1.0\n");
  });
});

describe("a request to hand over", () => {
  const state = { version: "1.2.0", work: null, agents: 0, nowMs: 1_000 };
  const asked = { version: "1.3.0", restart: false, untilMs: 6_000 };
  it.each([
    ["by a newer one is agreed to", asked, state, null],
    ["by the same is not", { ...asked, version: "1.2.0" }, state, "handover_refused"],
    ["by the same with restart is", { ...asked, version: "1.2.0", restart: true }, state, null],
    [
      "by an older one is not, restart or no",
      { ...asked, version: "1.1.9", restart: true },
      state,
      "handover_refused",
    ],
    ["by a pre-release of ours is not", { ...asked, version: "1.2.0-rc.1" }, state, "handover_refused"],
    ["during a rebuild is not", asked, { ...state, work: "a rebuild" }, "busy_with_work"],
    ["while driven agents are at work is not", asked, { ...state, agents: 2 }, "busy_with_work"],
    ["by one that has gone away is not", asked, { ...state, nowMs: 6_001 }, "handover_late"],
  ] as const)("%s", (_what, request, at, code) => {
    expect(handoverRefusal(request, at)?.code ?? null).toBe(code);
  });
});
