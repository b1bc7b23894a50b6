import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DaemonChild, type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
beforeEach(() => {
  hookline = openHookline();
});
afterEach(() => hookline.close());

const cwd = "/home/dev/walrus";

/** The files on which the kernel holds locks for a process. */
function lockedInodes({ pid }: DaemonChild): string[] {
  const own = readFileSync("/proc/locks", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , , owner]) => owner === String(pid));
  return [...new Set(own.map(([, , , , , file]) => file!))].toSorted();
}

describe.runIf(process.platform === "linux")("the daemon's locks", () => {
  it("survive everything that reads files of the home", async () => {
    const daemon = await hookline.start();
    const prompt = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd, prompt_id: "p" };
    await hookline.fire({ ...prompt, prompt: "remember the walrus" });
    await hookline.settle();
    const before = lockedInodes(daemon);
    expect(before.length).toBeGreaterThan(1);

    // Scans every byte of the home for the forgotten text.
    expect((await hookline.run("forget", "--match", "walrus", "--yes")).code).toBe(0);
    expect(lockedInodes(daemon)).toEqual(expect.arrayContaining(before));
    // Files that another program names.
    for (const path of [hookline.home.lockFile, hookline.home.db]) {
      const named = { transcript_path: path, tool_name: "Bash", tool_input: { command: `sh ${path}` } };
      await hookline.fire({
        hook_event_name: "PreToolUse",
        session_id: "t",
        cwd,
        tool_use_id: "u",
        ...named,
      });
      await hookline.ask("POST", "/api/ask/guard", {
        hook_event_name: "PreToolUse",
        session_id: "t",
        cwd,
        ...named,
      });
    }
    await hookline.settle();
    await hookline.ask("GET", "/api/doctor");
    await hookline.ask("POST", "/api/doctor/fix", {});
    await hookline.ask("POST", "/api/flush");
    expect(lockedInodes(daemon)).toEqual(expect.arrayContaining(before));

    const second = hookline.spawn();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain("already serves");
  });
});

describe("a home that is removed under its daemon", () => {
  it("has no second daemon while the first still answers", async () => {
    const first = await hookline.start();
    // Suspended, so it does not notice before the second has checked; its socket still exists.
    process.kill(first.pid, "SIGSTOP");
    rmSync(hookline.home.lockFile);
    const second = hookline.spawn();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain("already serves");
    // It notices soon, and ends in favour of one that holds the lock.
    process.kill(first.pid, "SIGCONT");
    expect(await first.ended).toBe(1);
    const third = await hookline.start();
    expect(readFileSync(hookline.home.pidFile, "utf8").trim()).toBe(String(third.pid));
  });

  it("is not recreated by its daemon, which ends", async () => {
    const first = await hookline.start();
    await hookline.fire({ hook_event_name: "Stop", session_id: "gone", cwd });
    await hookline.settle();
    rmSync(hookline.home.dir, { recursive: true });
    expect(await first.ended).toBe(1);
    expect(existsSync(hookline.home.dir)).toBe(false);

    const installed = await hookline.run("install");
    expect(installed.code).toBe(0);
    await hookline.start();
    await hookline.fire({ hook_event_name: "Stop", session_id: "new", cwd });
    await hookline.settle();
    expect(hookline.query("SELECT DISTINCT session_id FROM events")).toEqual([{ session_id: "new" }]);
  });

  it("stays removed, whatever arrives before its daemon notices", async () => {
    const first = await hookline.start();
    await hookline.fire({ hook_event_name: "Stop", session_id: "gone", cwd });
    await hookline.settle();
    rmSync(hookline.home.dir, { recursive: true });
    mkdirSync(hookline.home.spool, { recursive: true, mode: 0o700 });
    await hookline.fire({ hook_event_name: "Stop", session_id: "new", cwd });
    expect(await first.ended).toBe(1);
    expect(existsSync(hookline.home.stream)).toBe(false);
    expect(hookline.spoolFiles()).toHaveLength(1);
  });

  it("has a new daemon that an old one does not disturb when it stops", async () => {
    const old = await hookline.start();
    process.kill(old.pid, "SIGSTOP");
    rmSync(hookline.home.dir, { recursive: true });
    const next = await hookline.start();
    await hookline.settle();
    process.kill(old.pid, "SIGTERM");
    process.kill(old.pid, "SIGCONT");
    expect(await old.ended).toBe(1);
    expect(readFileSync(hookline.home.pidFile, "utf8").trim()).toBe(String(next.pid));
    expect(await hookline.status()).toMatchObject({ pid: next.pid, events: 0 });
  });
});
