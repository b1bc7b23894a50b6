import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { mountTmpfs } from "../hook/run-command.ts";
import { type Hookline, type HooklineOptions, openHookline } from "../support/hookline.ts";

// Mistakes that a new user makes in the first minutes.

const opened: Hookline[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
function open(options: HooklineOptions = {}): Hookline {
  const hookline = openHookline(options);
  opened.push(hookline);
  return hookline;
}

it("up reports at once why the daemon ended, instead of a timeout", async () => {
  const hookline = open({ env: { HOOKLINE_PORT: "abc" } });
  const { code, stderr } = await hookline.run("up");
  expect(code).toBe(1);
  expect(stderr).toContain("the daemon did not start: HOOKLINE_PORT is not a port: abc; see ");
  expect(stderr).not.toMatch(/within \d+ s/);
});

it("names Hookline as the owner of a port that another Hookline uses", async () => {
  const first = open();
  await first.start();
  const second = open({ env: { HOOKLINE_PORT: String((await first.status()).port) } });
  await second.start();
  expect((await second.status()).notices.join()).toMatch(/taken by another Hookline daemon \(pid \d+\)/);
});

it("top --once --exit-when draws nothing", async () => {
  const hookline = open();
  await hookline.start();
  const run = await hookline.run("top", "--once", "--exit-when", "needs-me");
  expect([run.code, run.stdout, run.stderr]).toEqual([1, "", "hookline: no session needs you.\n"]);
});

it("config rejects a value of the wrong type as misuse, and shows how to write a list", async () => {
  const hookline = open();
  for (const [key, value, message] of [
    ["approve.on", "maybe", "approve.on: "],
    ["exclude", "foo", "write a list as JSON: '[\"foo\"]'"],
    ["approve.holdSeconds", "1e3", 'not "1e3"'],
    ["control.billing", "x", "control.billing: "],
  ] as const) {
    const run = await hookline.run("config", key, value);
    expect([key, run.code, run.stdout]).toEqual([key, 2, ""]);
    expect(run.stderr).toContain(message);
  }
});

it("session says how long an id prefix must be", async () => {
  const hookline = open();
  await hookline.start();
  expect((await hookline.run("session", "fc")).stderr).toContain("at least 4 characters");
  expect((await hookline.run("session", "fc65")).stderr).toBe("hookline: session fc65 not found\n");
});

it("status and doctor name a home that cannot be written, and suggest no fix that fails the same way", async (test) => {
  const mount = mkdtempSync(join(tmpdir(), "hookline-read-only-"));
  const unmount = mountTmpfs(mount, "size=1m,ro");
  onTestFinished(() => {
    unmount?.();
    rmSync(mount, { recursive: true });
  });
  if (unmount === undefined) return test.skip();
  const hookline = open({ env: { HOOKLINE_HOME: join(mount, "home") } });
  const { stdout } = await hookline.run("status");
  expect(stdout).toContain(`cannot start: ${join(mount, "home")} cannot be written: read-only.`);
  expect(stdout).not.toContain("hookline up");
  const { checks } = JSON.parse((await hookline.run("doctor", "--json")).stdout) as {
    checks: { code: string; status: string; remedy: string }[];
  };
  expect(checks.find(({ code }) => code === "home_writable")).toMatchObject({
    status: "fail",
    remedy: expect.stringContaining("HOOKLINE_HOME"),
  });
  const failed = checks.filter(({ status }) => status === "fail").map(({ remedy }) => remedy);
  expect(failed.join("\n")).not.toMatch(/hookline (up|install)/);
});
