// The real Claude Code in its own home, talking to the fake API. The user's own ~/.claude is never touched.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { FakeApi } from "./fake-api.ts";
import { PATIENCE_MS } from "./patience.ts";
import { openTmux, type TmuxSession } from "./tmux.ts";

export interface Scratch {
  readonly root: string;
  readonly home: string;
  /** A git repository with one commit, `<home>/acme-shop`. */
  readonly project: string;
  /** Writes a file relative to the project, creating its folders. */
  write(path: string, content: string | Uint8Array): Promise<string>;
  /** Runs at `cleanup`, last added first. */
  onCleanup(callback: () => unknown): void;
  cleanup(): Promise<void>;
}

export interface ClaudeOptions {
  readonly api: Pick<FakeApi, "url">;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Passed as `--settings`; tests can write settings of the home or the project as files instead. */
  readonly settings?: object;
}

export interface ClaudeRun {
  /** Null when it was killed, for example after `timeoutMs`. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly sessionId?: string;
  readonly transcriptPath?: string;
}

const apiKey = "sk-test";

export const claudeBinary = createRequire(import.meta.url).resolve(
  `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`,
);

export async function createScratch(): Promise<Scratch> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "hookline-")));
  const home = join(root, "home");
  const project = join(home, "acme-shop");
  const callbacks: (() => unknown)[] = [];

  const scratch: Scratch = {
    root,
    home,
    project,
    write: async (path, content) => {
      const file = join(project, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    onCleanup: (callback) => void callbacks.push(callback),
    cleanup: async () => {
      for (const callback of callbacks.splice(0).reverse()) await callback();
      // A killed claude may still have a child that writes.
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };

  mkdirSync(project, { recursive: true });
  mkdirSync(join(root, "tmp"));
  await writeFile(join(home, ".claude.json"), JSON.stringify(onboardedState(project)));
  await scratch.write("README.md", "# Acme Shop\n\nSells anvils.\n");
  await scratch.write(
    "src/cart.ts",
    "export const total = (prices: number[]) => prices.reduce((a, b) => a + b, 0);\n",
  );
  await scratch.write("docs/release.md", "# Release\n\n- anvils are 10 % lighter\n");
  const author = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com"];
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "."],
    [...author, "commit", "-q", "-m", "First"],
  ]) {
    execFileSync("git", args, { cwd: project, env: { ...claudeEnv(scratch), GIT_CONFIG_NOSYSTEM: "1" } });
  }
  return scratch;
}

/** Runs `claude -p prompt` to its end. */
export async function runClaude(
  scratch: Scratch,
  options: ClaudeOptions & { readonly prompt: string; readonly timeoutMs?: number; readonly cwd?: string },
): Promise<ClaudeRun> {
  const { prompt, timeoutMs = 2 * PATIENCE_MS, cwd = scratch.project } = options;
  const startedAt = Date.now();
  const child = spawn(claudeBinary, ["-p", prompt, ...claudeArgs(options)], {
    cwd,
    env: claudeEnv(scratch, options),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null && child.pid)
      process.kill(-child.pid, "SIGKILL");
  };
  scratch.onCleanup(kill);
  const timer = setTimeout(kill, timeoutMs);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  clearTimeout(timer);

  const transcriptPath = await newestTranscript(scratch, startedAt);
  if (!transcriptPath) return { code, ...output };
  return { code, ...output, transcriptPath, sessionId: basename(transcriptPath, ".jsonl") };
}

/** Interactive `claude` in the project; killed at `scratch.cleanup()`. The prompt is ready at /❯/. */
export async function openClaudeTmux(
  scratch: Scratch,
  options: ClaudeOptions & { readonly cols?: number; readonly rows?: number; readonly cwd?: string },
): Promise<TmuxSession> {
  const { cols, rows, cwd = scratch.project } = options;
  const env = { ...claudeEnv(scratch, options), TMUX_TMPDIR: scratch.root };
  const session = await openTmux({ command: [claudeBinary, ...claudeArgs(options)], cwd, env, cols, rows });
  scratch.onCleanup(() => session.kill());
  return session;
}

/** An allow-list: the environment of the agent that runs these tests must not leak into the child. */
export function claudeEnv(scratch: Scratch, options?: Partial<ClaudeOptions>): Record<string, string> {
  const { PATH = "/usr/bin:/bin", LANG = "C.UTF-8", TERM = "xterm-256color" } = process.env;
  const bypasses = options?.args?.some((arg) => /bypassPermissions|dangerously/.test(arg));
  return {
    PATH,
    LANG,
    TERM: TERM === "dumb" ? "xterm-256color" : TERM,
    TMPDIR: join(scratch.root, "tmp"),
    HOME: scratch.home,
    ...(options?.api && { ANTHROPIC_BASE_URL: options.api.url }),
    ANTHROPIC_API_KEY: apiKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // Without it Claude Code refuses bypassPermissions to root.
    ...(bypasses && { IS_SANDBOX: "1" }),
    ...options?.env,
  };
}

function claudeArgs({ args = [], settings }: ClaudeOptions): string[] {
  return [...(settings ? ["--settings", JSON.stringify(settings)] : []), ...args];
}

/** The state that makes interactive mode go straight to the prompt: no theme, key, trust or mode question. */
function onboardedState(project: string): object {
  return {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [apiKey.slice(-20)], rejected: [] },
    bypassPermissionsModeAccepted: true,
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
}

async function newestTranscript(scratch: Scratch, since: number): Promise<string | undefined> {
  const projects = join(scratch.home, ".claude", "projects");
  const found: { path: string; mtimeMs: number }[] = [];
  for (const folder of await readdir(projects).catch(() => [])) {
    for (const name of await readdir(join(projects, folder))) {
      if (!name.endsWith(".jsonl")) continue;
      const path = join(projects, folder, name);
      found.push({ path, mtimeMs: (await stat(path)).mtimeMs });
    }
  }
  const fresh = found.filter(({ mtimeMs }) => mtimeMs >= since - 10);
  return fresh.sort((a, b) => b.mtimeMs - a.mtimeMs)[0]?.path;
}
