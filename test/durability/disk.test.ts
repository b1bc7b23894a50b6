import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { mountTmpfs } from "../hook/run-command.ts";
import { type Hookline, openScratch } from "../support/hookline.ts";
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

/** Fills what is left, but for some blocks. */
function fill(leave: number): string {
  const path = join(mount, "ballast");
  const { bavail, bsize } = statfsSync(mount);
  writeFileSync(path, Buffer.alloc(Math.max(0, (bavail - leave) * bsize)));
  return path;
}

it("disk full during hooks and during a sync: nothing that a hook wrote is lost, and it goes on by itself", async (test) => {
  if (unmount === undefined) return test.skip();
  hookline = openScratch({ homeDir: join(mount, "home") });
  await hookline.start();
  for (const payload of payloads) await hookline.fire(payload);
  await hookline.settle();
  const before = hookline.dump()["events"]!.length;

  const ballast = fill(12);
  let kept = 0;
  for (let shot = 0; shot < 40; shot++) {
    const files = new Set(hookline.spooled());
    expect(await hookline.fire(varied(payloads[1]!, `full-${shot}`, `f${shot}`))).toEqual(silent);
    // What it could not write whole, it leaves no trace of.
    if (hookline.spooled().some((name) => !files.has(name))) kept++;
    await setTimeout(5);
  }
  await setTimeout(300);
  const status = await hookline.status();
  rmSync(ballast);
  const after = await hookline.settle();
  expect(status.notices.join("\n")).toMatch(/ENOSPC|full/);
  expect(after).toMatchObject({ torn: 0, quarantined: 0, refused: 0 });
  const stored = hookline.query("SELECT count(*) AS n FROM events WHERE session_id LIKE 'full-%'")[0]![
    "n"
  ] as number;
  expect(stored).toBeGreaterThanOrEqual(kept);
  expect(after.events).toBe(before + stored);
  const rows = hookline.dump();
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  expect(hookline.dump()).toEqual(rows);
});

it("disk full at the start: says so and exits 1, and the spool is taken in once there is room", async (test) => {
  if (unmount === undefined) return test.skip();
  hookline = openScratch({ homeDir: join(mount, "home") });
  for (const payload of payloads) await hookline.fire(payload);
  const spooled = hookline.spooled().length;
  const ballast = fill(0);
  const daemon = hookline.spawn();
  expect(await daemon.ended).toBe(1);
  expect(daemon.output()).toMatch(/^hookline: .*(full|no space).*\n$/i);
  expect(hookline.spooled()).toHaveLength(spooled);
  rmSync(ballast);
  await hookline.start();
  expect(await hookline.settle()).toMatchObject({ torn: 0, quarantined: 0 });
});

it("a home that turned read-only: hooks are silent, the daemon says so and waits; a new one exits 1", async (test) => {
  if (unmount === undefined) return test.skip();
  hookline = openScratch({ homeDir: join(mount, "home") });
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
  } finally {
    execFileSync("/bin/mount", ["-o", "remount,rw", mount]);
  }
  await hookline.start();
  const status = await hookline.settle();
  expect(status.events).toBe(rows["events"]!.length + 1);
  expect(readdirSync(hookline.home.spool)).toEqual([]);
});
