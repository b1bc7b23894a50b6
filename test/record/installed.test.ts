// The program as a user installs it: bundled into a few files, in its own folder, without this clone.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPackage } from "../../scripts/build-package.ts";
import { claude } from "../../src/agents/claude/claude.ts";
import { guardCommand } from "../../src/hook/guard-command.ts";
import { runCommand } from "../hook/run-command.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

let folder: string;
let hookline: Hookline;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "hookline-installed-")));
  const archive = await buildPackage({ pages: false });
  writeFileSync(join(folder, "package.json"), "{}");
  const flags = ["--omit=optional", "--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", archive, ...flags], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  hookline = openHookline({
    bin: join(folder, "node_modules/.bin/hookline"),
    env: { PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) },
    config: { guard: { on: true } },
  });
  writeFileSync(join(hookline.home.dir, "launch"), "#!/bin/sh\n");
  await hookline.start();
});

afterAll(async () => {
  await hookline?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the installed package", () => {
  it("has no dependencies", () => {
    const modules = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
    expect(modules).toEqual(["hookline"]);
  });

  it("records, searches and judges, with its worker threads", async () => {
    const session = { session_id: "s1", cwd: hookline.root };
    await hookline.fire({
      ...session,
      hook_event_name: "UserPromptSubmit",
      prompt: "why does the cart lose coupons",
    });
    await hookline.settle();
    await expect.poll(async () => (await hookline.run("search", "coupons")).stdout).toContain("lose coupons");
    const call = { ...session, hook_event_name: "PreToolUse", permission_mode: "bypassPermissions" };
    const input = JSON.stringify({
      ...call,
      tool_name: "Bash",
      tool_input: { command: "cat ~/.hookline/token" },
    });
    const patient = guardCommand(claude, { failClosed: false }).replace("--max-time 1.5", "--max-time 30");
    const { stdout } = await runCommand(patient, {
      env: { ...hookline.env, CLAUDE_CODE_SESSION_ID: "s1" },
      input,
    });
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  });

  it("serves its pages", async () => {
    const page = await hookline.run("open", "--print");
    const answer = await fetch(page.stdout.trim());
    expect(await answer.text()).toContain("<title>Hookline");
  });

  it("shows top and its own version, and checks its database", async () => {
    expect((await hookline.run("top", "--once")).stdout).toContain("1 busy");
    expect((await hookline.run("--version")).stdout).toMatch(/\d+\.\d+\.\d+/);
    const { checks } = JSON.parse((await hookline.run("doctor", "--json")).stdout) as {
      checks: { code: string; status: string }[];
    };
    expect(checks.find(({ code }) => code === "database_pages")?.status).toBe("ok");
  });

  it("can be imported by other programs", () => {
    const program = `
      import { ClaudeManager } from "hookline/control";
      import { LifecycleEvent, LifecycleSessionMonitor } from "hookline/monitor";
      console.log(typeof ClaudeManager, typeof LifecycleSessionMonitor, typeof LifecycleEvent.parse);
    `;
    writeFileSync(join(folder, "program.mjs"), program);
    const out = execFileSync(process.execPath, ["program.mjs"], { cwd: folder, encoding: "utf8" });
    expect(out).toBe("function function function\n");
  });
});
