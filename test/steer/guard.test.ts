// The guard under the real Claude Code: in a terminal and in `claude -p`, with the daemon up and down.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { guardCommand } from "../../src/hook/guard-command.ts";
import type { VerdictsAnswer } from "../../src/serve/policy-contract.ts";
import { runCommand } from "../hook/run-command.ts";
import { createScratch, openClaudeTmux, runClaude, type Scratch } from "../support/claude.ts";
import { type FakeApi, openFakeApi, type ToolCall } from "../support/fake-api.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "tmux");

const rules = {
  tools: [
    { id: "no-denied", match: "Bash(touch denied*)", ["then" as const]: "deny", reason: "Not this file." },
    {
      id: "louder",
      match: "Bash(echo quiet*)",
      ["then" as const]: "rewrite",
      replace: [{ field: "command", find: "quiet", with: "loud" }],
    },
    { id: "look", match: "Bash(echo asked*)", ["then" as const]: "ask", reason: "Look at it." },
    { id: "large", match: "Write(**/allowed-large.txt)", ["then" as const]: "allow" },
    { id: "mine", match: "Bash(touch allowed*)", ["then" as const]: "allow" },
  ],
  prompts: [{ id: "keys", find: "sk-\\w+", ["then" as const]: "filter", with: "[key]", reason: "No keys." }],
};
const bash = (command: string): ToolCall => ({ name: "Bash", input: { command, description: "x" } });

let scratch: Scratch;
let hookline: Hookline;
let api: FakeApi;
beforeEach(async () => {
  scratch = await createScratch();
});
afterEach(async () => {
  await scratch.cleanup();
  await hookline.close();
  await api.close();
});

/** Installs the guard; the model makes these calls one after the other. */
async function prepare(flags: readonly string[], ...calls: readonly ToolCall[]): Promise<void> {
  hookline = openHookline({ env: { HOME: scratch.home } });
  writeFileSync(hookline.home.rules, JSON.stringify(rules));
  expect(await hookline.run("install", "--guard", ...flags)).toMatchObject({ code: 0, stderr: "" });
  api = await openFakeApi([...calls.map((call) => ({ tools: [call] })), { text: "All done." }]);
}

const options = (mode: string) => ({
  api,
  env: { HOOKLINE_HOME: hookline.home.dir, HOOKLINE_AUTOSTART: "0" },
  args: ["--permission-mode", mode],
});
const run = (mode: string) => runClaude(scratch, { ...options(mode), prompt: "go" });
const isThere = (file: string) => existsSync(join(scratch.project, file));

/** The results the model got for its calls, in order. */
function results(): { readonly content: string; readonly isError: boolean }[] {
  const { messages = [] } = api.requests.findLast(({ isSide }) => !isSide)!.body;
  return messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .filter(({ type }) => type === "tool_result")
    .map((block) => ({ content: String(block.content), isError: block["is_error"] === true }));
}

describe("in claude -p", () => {
  it("denies with the reason, rewrites, and denies what it would ask about, also in bypassPermissions", async () => {
    const hidden = { name: "Write", input: { file_path: join(scratch.project, ".mcp.json"), content: "{}" } };
    await prepare([], bash("touch denied.txt"), bash("echo quiet"), bash("echo asked"), hidden);
    await hookline.start();
    expect(await run("bypassPermissions")).toMatchObject({ code: 0, stdout: "All done.\n", stderr: "" });
    const [denied, rewritten, asked, dropped] = results();
    expect(denied).toMatchObject({ isError: true });
    expect(denied!.content).toContain("Hookline: Not this file. [user/no-denied]");
    expect(isThere("denied.txt")).toBe(false);
    expect(rewritten).toEqual({ content: "loud", isError: false });
    expect(asked).toEqual({ content: "Hookline: Look at it. [user/look]", isError: true });
    // Claude Code would drop a question about this file and write it.
    expect(dropped).toMatchObject({ isError: true, content: expect.stringContaining("shift+tab") });
    expect(isThere(".mcp.json")).toBe(false);
    await hookline.settle();
    const { events } = await hookline.ask<{ events: { eventType: string; told: object }[] }>(
      "GET",
      "/api/events?limit=1000",
    );
    expect(
      events.flatMap(({ eventType, told }) => (eventType === "control.verdict" ? [told] : [])),
    ).toMatchObject([
      { verdict: "deny", rule: "user/no-denied" },
      { verdict: "rewrite", rule: "user/louder" },
      { verdict: "ask", rule: "user/look" },
      { verdict: "deny", rule: expect.stringContaining("builtin/") },
    ]);
    expect(await hookline.run("uninstall")).toMatchObject({ code: 0 });
    // Claude Code may have written there, too.
    const settings = join(scratch.home, ".claude", "settings.json");
    expect(existsSync(settings) ? readFileSync(settings, "utf8") : "").not.toContain("hook");
  });

  it("allows by rule, and leaves everything else to Claude Code", async () => {
    const path = join(scratch.project, "allowed-large.txt");
    const large = { name: "Write", input: { file_path: path, content: "many words ".repeat(20_000) } };
    await prepare([], bash("touch allowed.txt"), bash("touch other.txt"), large);
    await hookline.start();
    await run("default");
    expect([isThere("allowed.txt"), isThere("other.txt")]).toEqual([true, false]);
    await hookline.settle();
    // Requests name no call, and large inputs are stored beside their event.
    const { verdicts } = await hookline.ask<VerdictsAnswer>("GET", "/api/verdicts");
    expect(verdicts.map(({ verdict, toolName, text }) => [verdict, toolName, text])).toEqual([
      ["allow", "Write", join(scratch.project, "allowed-large.txt")],
      ["allow", "Bash", "touch allowed.txt"],
    ]);
  });
});

describe("with the daemon down", () => {
  it("reports each unanswered period once, and nothing after uninstall", async () => {
    await prepare(["--fail-closed"]);
    const env = {
      ...{ PATH: process.env["PATH"]!, HOME: scratch.home, HOOKLINE_HOME: hookline.home.dir },
      CLAUDE_CODE_SESSION_ID: "s-1",
    };
    const call = { session_id: "s-1", cwd: scratch.project, permission_mode: "default", tool_name: "Read" };
    const input = JSON.stringify({ ...call, hook_event_name: "PreToolUse", tool_input: { file_path: "a" } });
    const guard = async (failClosed = false) =>
      (await runCommand(guardCommand(claude, { failClosed }), { env, input })).stdout;
    const isOff = expect.stringContaining("the guard is off");
    expect([await guard(), await guard()]).toEqual([isOff, ""]);
    const daemon = await hookline.start();
    // A busy machine's daemon may be too slow for its first call.
    await expect.poll(() => guard()).toBe("");
    // As after a call that the daemon was too slow for.
    mkdirSync(hookline.home.guardNotices, { recursive: true });
    writeFileSync(join(hookline.home.guardNotices, "s-1"), "");
    expect(await guard()).toBe("");
    await daemon.kill();
    expect([await guard(), await guard()]).toEqual([isOff, ""]);
    expect(await guard(true)).toContain("deny");
    // A running session keeps the hooks it started with.
    expect(await hookline.run("uninstall")).toMatchObject({ code: 0 });
    expect(await guard(true)).toBe("");
  });

  it("lets everything through, and says so once on screen without an error", async () => {
    await prepare([], bash("touch denied.txt"), bash("touch two.txt"));
    const terminal = await openClaudeTmux(scratch, options("acceptEdits"));
    await terminal.waitFor(/❯/);
    await terminal.type("go");
    await terminal.keys("Enter");
    const screen = await terminal.waitFor(/All done\./);
    expect(screen.match(/the guard is off/g)).toHaveLength(1);
    expect(screen).not.toMatch(/error/i);
    expect([isThere("denied.txt"), isThere("two.txt")]).toEqual([true, true]);
  });

  it("denies every call when it fails closed, and says how to start the daemon", async () => {
    await prepare(["--fail-closed"], bash("touch one.txt"), bash("echo two"));
    const terminal = await openClaudeTmux(scratch, options("bypassPermissions"));
    await terminal.waitFor(/❯/);
    await terminal.type("go");
    await terminal.keys("Enter");
    const screen = await terminal.waitFor(/All done\./);
    expect(screen.match(/the guard denies every tool call/g)).toHaveLength(1);
    expect(screen).not.toMatch(/error/i);
    expect(results()).toHaveLength(2);
    for (const { content, isError } of results()) {
      expect(isError).toBe(true);
      expect(content).toContain("hookline up");
    }
    expect(isThere("one.txt")).toBe(false);
  });
});

describe("in a terminal", () => {
  it("denies, rewrites, and asks with the reason in the agent's own dialog", async () => {
    await prepare([], bash("touch denied.txt"), bash("echo quiet"), bash("echo asked"));
    await hookline.start();
    const terminal = await openClaudeTmux(scratch, options("default"));
    await terminal.waitFor(/❯/);
    await terminal.type("go");
    await terminal.keys("Enter");
    const dialog = await terminal.waitFor(/Look at it\. \[user\/look\][\s\S]*1\. Yes/);
    expect(dialog).toContain("Do you want to proceed?");
    await terminal.press("Enter", /All done\./);
    expect(results().map(({ content }) => content)).toEqual([
      expect.stringContaining("Not this file."),
      "loud",
      "asked",
    ]);
    expect(isThere("denied.txt")).toBe(false);
  });

  it("blocks a prompt that a rule filters, and shows what can be sent instead", async () => {
    await prepare([]);
    await hookline.start();
    const terminal = await openClaudeTmux(scratch, options("default"));
    await terminal.waitFor(/❯/);
    await terminal.type("use sk-12345 please");
    await terminal.keys("Enter");
    await terminal.waitFor(/No keys\. \[user\/keys\]\s+You can send this instead:\s+use \[key\] please/);
    expect(api.requests.filter(({ isSide }) => !isSide)).toEqual([]);
    await terminal.keys("C-u");
    await terminal.type("use [key] please");
    await terminal.keys("Enter");
    await terminal.waitFor(/All done\./);
    expect(JSON.stringify(api.requests)).not.toContain("sk-12345");
  });
});
