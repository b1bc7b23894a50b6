import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface CommandRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
}

export interface CommandOptions {
  readonly input?: string | Buffer | "closed";
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly shell?: readonly [string, ...string[]];
}

export const silent = { code: 0, stdout: "", stderr: "" };

/** Runs a command as Claude Code does: `/bin/sh -c`, with the payload on stdin. */
export function runCommand(command: string, options: CommandOptions = {}): Promise<CommandRun> {
  const { input = '{"hook_event_name":"Stop"}\n', env = {}, cwd, shell = ["/bin/sh"] } = options;
  const startedAt = performance.now();
  const [file, ...flags] = shell;
  const wrapped = input === "closed" ? `exec <&-\n${command}` : command;
  const child = spawn(file, [...flags, "-c", wrapped], { env, cwd, detached: true });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  // A hook that does not read its input closes the pipe early.
  child.stdin.on("error", () => undefined).end(input === "closed" ? "" : input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...output, tookMs: performance.now() - startedAt }));
  });
}

export interface Place {
  readonly root: string;
  readonly home: string;
  readonly spool: string;
  readonly env: Readonly<Record<string, string>>;
  files(): string[];
  contents(): string[];
  remove(): void;
}

/** A home with a spool folder, and the environment that selects it. */
export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-cmd-")));
  const home = join(root, ".hookline");
  const spool = join(home, "spool");
  mkdirSync(spool, { recursive: true });
  const files = () => readdirSync(spool).sort();
  return {
    root,
    home,
    spool,
    env: { HOME: root, PATH: "/usr/bin:/bin" },
    files,
    contents: () => files().map((name) => readFileSync(join(spool, name), "utf8")),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Mounts a small tmpfs; undefined, with the reason printed, where that is not permitted. */
export function mountTmpfs(folder: string, options: string): (() => void) | undefined {
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "pipe" });
    return () => execFileSync("/bin/umount", ["-l", folder]);
  } catch (error) {
    console.warn(`skipped: no tmpfs can be mounted here (${String(error).split("\n")[0]})`);
    return undefined;
  }
}
