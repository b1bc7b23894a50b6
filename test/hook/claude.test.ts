// The installed commands under the real Claude Code.

import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once as onceEmitted } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude as agent } from "../../src/agents/claude/claude.ts";
import { installHooks, uninstallHooks } from "../../src/hook/install.ts";
import {
  type ClaudeRun,
  claudeBinary,
  claudeEnv,
  createScratch,
  openClaudeTmux,
  runClaude,
  type Scratch,
} from "../support/claude.ts";
import { type FakeApi, openFakeApi, type Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import { mountTmpfs } from "./run-command.ts";

needs(import.meta.filename, "tmux");

const plugin = fileURLToPath(new URL("../../plugin", import.meta.url));
const oneCall: Turn[] = [{ tools: [{ name: "Bash", input: { command: "echo hi" } }] }, { text: "All done." }];
const gone = { nodePath: "/gone/node", entry: "/gone/main.js" };

let scratch: Scratch;
let api: FakeApi;
beforeEach(async () => {
  scratch = await createScratch();
  api = await openFakeApi(oneCall);
});
afterEach(async () => {
  await scratch.cleanup();
  await api.close();
});

const home = () => join(scratch.home, ".hookline");
const spool = () => join(home(), "spool");
const install = (scope: "user" | "project" = "user", projectDir = scratch.project) =>
  installHooks({ agent, scope, env: { HOME: scratch.home }, projectDir, launcher: gone });
const run = (cwd = scratch.project, env: Record<string, string> = {}) =>
  runClaude(scratch, { prompt: "say hi", api, cwd, env, args: ["--allowedTools", "Bash,Write"] });
const claude = (...args: string[]) =>
  execFileSync(claudeBinary, args, {
    env: claudeEnv(scratch, { api }),
    cwd: scratch.project,
    encoding: "utf8",
  });
const installPlugin = () => {
  claude("plugin", "marketplace", "add", plugin);
  claude("plugin", "install", "hookline@hookline");
};

/** How often each event is in the spool. */
function recorded(sessionId?: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of readdirSync(spool())) {
    const file = readFileSync(join(spool(), name), "utf8");
    const payload = JSON.parse(file.startsWith("env\t") ? file.slice(file.indexOf("\n")) : file);
    if (sessionId && payload.session_id !== sessionId) continue;
    const key = [payload.hook_event_name, payload.tool_name].filter(Boolean).join(" ");
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const once = {
  SessionStart: 1,
  UserPromptSubmit: 1,
  "PreToolUse Bash": 1,
  "PostToolUse Bash": 1,
  PostToolBatch: 1,
  Stop: 1,
  SessionEnd: 1,
};

/** Expects no hook output, and in the transcript only successes without output. */
function expectNoTrace(done: ClaudeRun): void {
  expect(done).toMatchObject({ code: 0, stdout: "All done.\n", stderr: "" });
  const lines = readFileSync(done.transcriptPath!, "utf8").trim().split("\n");
  const attachments = lines.map((line) => JSON.parse(line).attachment?.type as string | undefined);
  expect(lines.length).toBeGreaterThan(3);
  expect(attachments.filter((type) => type?.startsWith("hook_") && type !== "hook_success")).toEqual([]);
  expect(lines.join("\n")).not.toMatch(
    /hook error|hook_non_blocking_error|hook_blocking_error|hook_cancelled/i,
  );
}

describe("recording", () => {
  it("records each event once with hooks in the user's settings, the project's and the plugin", async () => {
    await install("user");
    await install("project");
    installPlugin();
    const done = await run();
    expectNoTrace(done);
    // `claude plugin install` reports the end of its own session.
    expect(recorded(done.sessionId)).toEqual(once);
  });

  it.each(["user", "project"] as const)(
    "records each event once with the plugin and the %s's settings",
    async (scope) => {
      installPlugin();
      await install(scope);
      expectNoTrace(await run());
      expect(recorded()).toEqual(once);
    },
  );

  it("records each event once with the plugin alone, and nothing without a spool folder", async () => {
    expect(claude("plugin", "validate", plugin)).toMatch(/✔ Validation passed\n/);
    installPlugin();
    expectNoTrace(await run());
    expect(existsSync(home())).toBe(false);
    mkdirSync(spool(), { recursive: true });
    expectNoTrace(await run());
    expect(recorded()).toEqual(once);
  });

  it("works in a folder of any name", async () => {
    const odd = join(scratch.home, `a 'b" $HOME \`x\` *`);
    mkdirSync(odd);
    await install("project", odd);
    installPlugin();
    expectNoTrace(await run(odd));
    expect(recorded()).toEqual(once);
  });

  it("injects the project's digest without waiting for the daemon it starts", async () => {
    await install();
    const answer = {
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "anvils are heavy" },
    };
    const digest = join(home(), "context", scratch.project, "startup.json");
    mkdirSync(dirname(digest), { recursive: true });
    writeFileSync(digest, JSON.stringify(answer));
    const report = join(scratch.root, "pid");
    writeFileSync(join(home(), "launch"), `#!/bin/sh\necho $$ >${report}\nexec sleep 60\n`, { mode: 0o700 });
    const startedAt = Date.now();
    const done = await run();
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    expect(done).toMatchObject({ code: 0, stdout: "All done.\n", stderr: "" });
    expect(JSON.stringify(api.requests.find((request) => !request.isSide)?.body)).toContain(
      "anvils are heavy",
    );
    const pid = Number(readFileSync(report, "utf8"));
    expect(process.kill(pid, 0)).toBe(true);
    process.kill(pid);
  });

  it("injects a resumed session's own digest, and in a subfolder or worktree the repository's", async () => {
    await install();
    const answer = (text: string) =>
      JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text } });
    const put = (name: string, text: string, project = scratch.project) => {
      const path = join(home(), "context", project, `${name}.json`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, answer(text));
    };
    put("startup", "anvils are heavy");
    put("startup", "of the folder above", dirname(scratch.project));
    put("resume", "for anybody");
    const tree = join(scratch.home, "tree");
    execFileSync("git", ["worktree", "add", "-q", tree], { cwd: scratch.project, stdio: "pipe" });
    for (const cwd of [join(scratch.project, "src"), tree]) {
      const before = api.requests.length;
      expect((await run(cwd)).code).toBe(0);
      const sent = JSON.stringify(api.requests.slice(before).map(({ body }) => body));
      expect(sent).toContain("anvils are heavy");
      expect(sent).not.toContain("of the folder above");
    }
    const first = await run();
    put(`resume-${first.sessionId}`, "the hammer was found");
    const before = api.requests.length;
    const args = ["--allowedTools", "Bash", "--resume", first.sessionId!];
    expect((await runClaude(scratch, { prompt: "and now?", api, args })).code).toBe(0);
    const sent = JSON.stringify(api.requests.slice(before).map(({ body }) => body));
    expect(sent).toContain("the hammer was found");
    expect(sent).not.toContain("for anybody");
  });

  it("injects the daemon's answers for a prompt and a file, and continues without one", async () => {
    mkdirSync(home(), { recursive: true });
    writeFileSync(join(home(), "config.json"), JSON.stringify({ memory: { inject: { file: true } } }));
    await install();
    await api.close();
    const file_path = join(scratch.project, "src/cart.ts");
    const turns: Turn[] = [{ tools: [{ name: "Read", input: { file_path } }] }, { text: "All done." }];
    api = await openFakeApi([...turns, ...turns]);
    const asked: string[] = [];
    const context = {
      prompt: ["UserPromptSubmit", "prices are in cents"],
      file: ["PreToolUse", "mind the sum"],
    };
    const server = createServer(async (request, response) => {
      const { hook_event_name, tool_name } = JSON.parse(await text(request));
      asked.push([request.url, hook_event_name, tool_name].filter(Boolean).join(" "));
      const [hookEventName, additionalContext] = request.url!.endsWith("file")
        ? context.file
        : context.prompt;
      response.end(JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } }));
    });
    await new Promise<void>((resolve) => server.listen(join(home(), "sock"), resolve));
    scratch.onCleanup(() => server.close());
    writeFileSync(join(home(), "daemon.pid"), `${process.pid}\n`);
    const sent = () => JSON.stringify(api.requests.filter(({ isSide }) => !isSide).map(({ body }) => body));
    expect(await run()).toMatchObject({ code: 0, stdout: "All done.\n", stderr: "" });
    expect(asked).toEqual(["/api/ask/prompt UserPromptSubmit", "/api/ask/file PreToolUse Read"]);
    for (const [, words] of Object.values(context)) expect(sent()).toContain(words);
    writeFileSync(join(home(), "daemon.pid"), "999999999\n");
    expectNoTrace(await run());
    expect(asked).toHaveLength(2);
  });

  it("stops after uninstall, which keeps what Claude Code wrote in between", async () => {
    await install();
    installPlugin();
    const before = JSON.parse(readFileSync(join(scratch.home, ".claude/settings.json"), "utf8"));
    await uninstallHooks({ agent, scope: "user", env: { HOME: scratch.home } });
    const { hooks: _, ...rest } = before;
    const remaining = readFileSync(join(scratch.home, ".claude/settings.json"), "utf8");
    expect(remaining).toBe(`${JSON.stringify(rest, null, 2)}\n`);
    expect(Object.keys(rest)).toContain("enabledPlugins");
  });
});

describe("a broken home leaves no trace in the run", () => {
  beforeEach(async () => {
    await install();
    await install("project");
    // Larger than a pipe buffer: Claude Code is still writing when the hook has exited.
    const content = "x".repeat(300_000);
    await api.close();
    api = await openFakeApi([
      { tools: [{ name: "Write", input: { file_path: join(scratch.project, "big.txt"), content } }] },
      ...oneCall,
    ]);
  });

  it.each([
    ["the spool folder deleted", () => rmSync(spool(), { recursive: true })],
    ["our home deleted", () => rmSync(home(), { recursive: true })],
    [
      "a file in place of the spool",
      () => {
        rmSync(spool(), { recursive: true });
        writeFileSync(spool(), "");
      },
    ],
  ])("%s", async (_, spoil) => {
    spoil();
    expectNoTrace(await run());
  });

  it.each([
    ["read-only", "ro,size=64k"],
    ["full", "size=64k"],
  ])("the spool on a %s disk", async (name, options) => {
    const unmount = mountTmpfs(spool(), options);
    if (!unmount) return;
    scratch.onCleanup(unmount);
    if (name === "full") writeFileSync(join(spool(), "full"), "x".repeat(65_536));
    expectNoTrace(await run());
  });

  it("(whereas a failing hook leaves one)", async () => {
    const path = join(scratch.project, ".claude", "settings.json");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("exit 0", "exit 1"));
    const done = await run();
    expect(() => expectNoTrace(done)).toThrow("hook_non_blocking_error");
  });

  it("HOME unset", async () => {
    const config = join(scratch.home, ".claude");
    cpSync(join(scratch.home, ".claude.json"), join(config, ".claude.json"));
    const { HOME: _, ...env } = claudeEnv(scratch, { api, env: { CLAUDE_CONFIG_DIR: config } });
    const args = ["-p", "say hi", "--allowedTools", "Bash,Write", "--session-id", randomUUID()];
    const child = spawn(claudeBinary, args, { env, cwd: scratch.project, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map((stream) => text(stream)));
    await onceEmitted(child, "close");
    const transcript = execFileSync("find", [config, "-name", `${args.at(-1)}.jsonl`], {
      encoding: "utf8",
    }).trim();
    expectNoTrace({ code: child.exitCode, stdout: stdout!, stderr: stderr!, transcriptPath: transcript });
    expect(recorded()).toEqual({});
  });

  it("the package removed, the plugin's folder too", async () => {
    const copy = join(scratch.root, "copy");
    execFileSync("cp", ["-r", plugin, copy]);
    claude("plugin", "marketplace", "add", copy);
    claude("plugin", "install", "hookline@hookline");
    expect(existsSync(join(home(), "launch"))).toBe(true);
    rmSync(copy, { recursive: true });
    expectNoTrace(await run());
  });

  it("nor on the screen", async () => {
    rmSync(spool(), { recursive: true });
    const session = await openClaudeTmux(scratch, { api, args: ["--allowedTools", "Bash,Write"] });
    await session.waitFor(/❯/);
    await session.type("say hi");
    await session.keys("Enter");
    await session.waitFor(/All done\./);
    // While hooks run, the spinner says "running Stop hook" for any hook.
    expect(await session.waitFor(/^(?!.*running \w+ hook).*All done/s)).not.toMatch(/hook/i);
    await session.type("/exit");
    await session.keys("Enter");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await session.screen()).not.toMatch(/hook (error|failed)|hook.*error/i);
  });
});
