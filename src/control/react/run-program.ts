import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type Ended =
  | { readonly type: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly type: "killed"; readonly why: string; readonly stdout: string; readonly stderr: string }
  | { readonly type: "missing"; readonly why: string };

/** Of each of the two streams; the rest is read and thrown away, so that nobody waits for us to take it. */
const MOST_BYTES = 64 * 1024;
const KILL_AFTER_MS = 500;
/** What a child left behind may hold the pipes open; after this they are left alone. */
const PIPES_MS = 300;

/** Becomes the program; beside it, whoever waits for the end of the fourth stream, which is also ours, kills the group. */
const WITH_US = '{ read -r end <&3; kill -KILL -$$; } </dev/null >/dev/null 2>&1 & exec 3<&-; exec "$0" "$@"';

/** To its end, or to ours: in a process group of its own, which is killed whole. Never rejects. */
export function runProgram(program: Program): Promise<Ended> {
  const { file, args, cwd, env, stdin, timeoutMs, signal } = program;
  if (signal?.aborted) return Promise.resolve({ type: "killed", why: "stopped", stdout: "", stderr: "" });
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = spawn("/bin/sh", ["-c", WITH_US, file, ...args], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
  // Held open while we live.
  child.stdio[3]?.on("error", () => undefined);
  const read = { stdout: collect(child.stdout), stderr: collect(child.stderr) };
  let why: string | null = null;
  let isOver = false;
  const killGroup = (how: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, how);
    } catch {
      // Nobody of the group is left.
    }
  };
  const stop = (reason: string): void => {
    why ??= reason;
    killGroup("SIGTERM");
    setTimeout(() => {
      if (!isOver) killGroup("SIGKILL");
    }, KILL_AFTER_MS).unref();
  };
  const timer = setTimeout(() => stop(`it took longer than ${timeoutMs / 1_000} s`), timeoutMs);
  const onAbort = (): void => stop("stopped");
  signal?.addEventListener("abort", onAbort, { once: true });
  const end = (ended: Ended): void => {
    isOver = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    resolve(ended);
  };
  // A program need not read what it is given.
  child.stdin.on("error", () => undefined).end(stdin);
  child.on("error", (error) => end({ type: "missing", why: `${file} cannot be run: ${error.message}` }));
  child.on("exit", (code, killedBy) => {
    // What it started and left in its group goes with it.
    killGroup("SIGKILL");
    const finish = (): void => {
      const texts = { stdout: read.stdout(), stderr: read.stderr() };
      if (why !== null || code === null)
        end({ type: "killed", why: why ?? `ended by ${killedBy}`, ...texts });
      else end({ type: "ended", code, ...texts });
    };
    const late = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
      finish();
    }, PIPES_MS);
    child.on("close", () => {
      clearTimeout(late);
      if (!isOver) finish();
    });
  });
  return promise;
}

/** The first of these programs that the PATH has. */
export function findProgram(names: readonly string[], path: string): string | null {
  for (const name of names) {
    for (const dir of path.split(delimiter)) {
      if (dir.startsWith("/") && isExecutable(join(dir, name))) return join(dir, name);
    }
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** One sentence of how it went wrong, null when it did not. */
export function failureOf(ended: Ended, name: string): string | null {
  if (ended.type === "missing") return ended.why;
  if (ended.type === "killed") return `${name}: ${ended.why}`;
  if (ended.code === 0) return null;
  const said = (ended.stderr.trim() || ended.stdout.trim()).split("\n").at(-1) ?? "";
  return `${name} ended with ${ended.code}${said === "" ? "" : `: ${said.slice(0, 300)}`}`;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (part: Buffer) => {
    if (bytes < MOST_BYTES) parts.push(part.subarray(0, MOST_BYTES - bytes));
    bytes += part.length;
  });
  return () => Buffer.concat(parts).toString("utf8").toWellFormed();
}
