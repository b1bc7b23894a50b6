import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { mountTmpfs } from "../hook/run-command.ts";
import { type CommandResult, type Hookline, openHookline } from "../support/hookline.ts";
import { realRun, varied } from "./payloads.ts";

let mount: string;
let unmount: (() => void) | undefined;
let hookline: Hookline | undefined;

beforeEach(() => {
  mount = mkdtempSync(join(tmpdir(), "hookline-disk-"));
  unmount = mountTmpfs(mount, "size=4m,mode=0700");
});
afterEach(async () => {
  await hookline?.close();
  hookline = undefined;
  unmount?.();
  rmSync(mount, { recursive: true, force: true });
});

const silent = { code: 0, stdout: "", stderr: "" };
const payloads = [...realRun("skill"), ...realRun("mcp")].map(({ payload }) => payload);

/** Fills the free space except for some blocks. */
function fill(leave: number): string {
  const path = join(mount, "ballast");
  const { bavail, bsize } = statfsSync(mount);
  try {
    appendFileSync(path, Buffer.alloc(Math.max(0, (bavail - leave) * bsize)));
  } catch (error) {
    // The daemon was faster in using some blocks.
    if (leave > 0 || (error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
  return path;
}

/** Runs a command while the disk is full, refilling blocks that the daemon frees meanwhile, such as in a checkpoint. */
async function runFull(...command: readonly string[]): Promise<CommandResult> {
  fill(0);
  const filling = setInterval(() => fill(0), 5);
  try {
    return await hookline!.run(...command);
  } finally {
    clearInterval(filling);
  }
}

async function said(what: RegExp): Promise<void> {
  await expect
    .poll(async () => (await hookline!.status()).notices.some((notice) => what.test(notice)))
    .toBe(true);
}

it("loses nothing that a hook wrote when the disk fills up, and recovers by itself", async (test) => {
  if (unmount === undefined) return test.skip();
  hookline = openHookline({ homeDir: join(mount, "home") });
  const daemon = await hookline.start();
  for (const payload of payloads) await hookline.fire(payload);
  await hookline.settle();
  const before = hookline.dump()["events"]!.length;

  // Suspended, so the hooks fill the disk and the daemon finds it full.
  process.kill(daemon.pid, "SIGSTOP");
  const ballast = fill(60);
  const prompt = "a prompt as long as some pages of a book ".repeat(1_000);
  for (let shot = 0; shot < 12; shot++) {
    const payload = { ...varied(payloads[1]!, `full-${shot}`, `f${shot}`), prompt };
    expect(await hookline.fire(payload)).toEqual(silent);
  }
  // A hook that could not write its whole payload leaves no file.
  const recorded = hookline.spoolFiles().length;
  expect(recorded).toBeGreaterThan(1);
  expect(recorded).toBeLessThan(12);
  fill(0);
  process.kill(daemon.pid, "SIGCONT");
  await said(/capture is paused and retries: ENOSPC/);
  expect(hookline.spoolFiles()).toHaveLength(recorded);

  // Room for the log, none for the database.
  execFileSync("/bin/mount", ["-o", "remount,size=4400k", mount]);
  await said(/the database is full/);
  execFileSync("/bin/mount", ["-o", "remount,size=16m", mount]);
  rmSync(ballast);
  const after = await hookline.settle();
  expect(after).toMatchObject({ events: before + recorded, torn: 0, quarantined: 0, refused: 0 });
  const rows = hookline.dump();
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  expect(hookline.dump()).toEqual(rows);
});

it("reports a full disk at start and exits 1, and reads the spool once there is room", async (test) => {
  if (unmount === undefined) return test.skip();
  hookline = openHookline({ homeDir: join(mount, "home") });
  for (const payload of payloads) await hookline.fire(payload);
  const spooled = hookline.spoolFiles().length;
  const ballast = fill(0);
  const daemon = hookline.spawn();
  expect(await daemon.ended).toBe(1);
  expect(daemon.output()).toMatch(/^hookline: .*(full|no space).*\n$/i);
  expect(hookline.spoolFiles()).toHaveLength(spooled);
  for (const command of [["up"], ["pause"], ["rebuild"]]) {
    const { code, stderr } = await runFull(...command);
    expect([command, code, stderr]).toEqual([
      command,
      1,
      expect.stringMatching(/^hookline: .*(full|no space).*\n$/i),
    ]);
  }
  rmSync(ballast);
  await hookline.start();
  expect(await hookline.settle()).toMatchObject({ torn: 0, quarantined: 0 });
});

it("reports a full disk in one sentence for every command that cannot work", async (test) => {
  if (unmount === undefined) return test.skip();
  hookline = openHookline({ homeDir: join(mount, "home") });
  await hookline.start();
  // Waits until everything is open.
  while ((await hookline.status().catch(() => null)) === null) await setTimeout(20);
  const full = [1, expect.stringMatching(/^hookline: the disk of .* is full.*\n$/)];
  // The search index opens on the first query.
  const early = fill(0);
  const search = await runFull("search", "--all", "word");
  expect([search.code, search.stderr]).toEqual(full);
  rmSync(early);
  for (const payload of payloads) await hookline.fire(payload);
  await hookline.settle();
  const ballast = fill(0);
  const { session_id } = payloads[0] as { session_id: string };
  const file = join(hookline.root, "memory.jsonl");
  writeFileSync(file, "{}\n");
  for (const command of [
    ["forget", "--session", session_id, "--yes"],
    ["forget", "--match", "word", "--yes"],
    ["import", hookline.root],
    ["import", "--memory", file],
    ["rebuild"],
    ["pause"],
    ["config", "logLevel", "debug"],
    ["away"],
  ]) {
    const { code, stderr } = await runFull(...command);
    expect([command, code, stderr]).toEqual([command, ...full]);
  }
  // Read-only commands still work.
  for (const command of [["export"], ["sessions"], ["tail"]])
    expect(await hookline.run(...command)).toMatchObject({ code: 0, stderr: "" });
  execFileSync("/bin/mount", ["-o", "remount,size=16m", mount]);
  rmSync(ballast);
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
});

it("handles a home that turned read-only: hooks are silent, the daemon reports it and waits, a new one exits 1", async (test) => {
  if (unmount === undefined) return test.skip();
  hookline = openHookline({ homeDir: join(mount, "home") });
  const daemon = await hookline.start();
  for (const payload of payloads) await hookline.fire(payload);
  await hookline.settle();
  const rows = hookline.dump();
  await daemon.kill("SIGTERM");
  mkdirSync(join(mount, "home/spool"), { recursive: true });
  await hookline.fire({ hook_event_name: "Stop", session_id: "before" });
  execFileSync("/bin/mount", ["-o", "remount,ro", mount]);
  try {
    expect(await hookline.fire({ hook_event_name: "Stop", session_id: "lost" })).toEqual(silent);
    const refused = hookline.spawn();
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toMatch(/^hookline: .*read-?only.*\n$/i);
    expect(await hookline.run("status")).toMatchObject({ code: 0, stderr: "" });
    for (const command of [["up"], ["pause"], ["config", "logLevel", "debug"], ["rebuild"]]) {
      const { code, stderr } = await hookline.run(...command);
      expect([command, code, stderr]).toEqual([
        command,
        1,
        expect.stringMatching(/^hookline: .*read-?only.*\n$/i),
      ]);
    }
  } finally {
    execFileSync("/bin/mount", ["-o", "remount,rw", mount]);
  }
  await hookline.start();
  const status = await hookline.settle();
  expect(status.events).toBe(rows["events"]!.length + 1);
  expect(readdirSync(hookline.home.spool)).toEqual([]);
});
