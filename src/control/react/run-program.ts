import { spawn } from "node:child_process";

export interface ProgramOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type ProgramResult =
  | { readonly type: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly type: "killed"; readonly why: string; readonly stdout: string; readonly stderr: string }
  | { readonly type: "missing"; readonly why: string };

/** Limit per stream; the rest is read and discarded, so that the program never blocks on a full pipe. */
const MAX_OUTPUT_BYTES = 64 * 1024;
const KILL_DELAY_MS = 500;
/** Orphaned children may hold the pipes open; they are abandoned after this time. */
const PIPE_GRACE_MS = 300;

/** Becomes the program; a helper beside it kills the group when fd 3, which we hold open, closes. */
const SUPERVISED_SCRIPT =
  '{ read -r end <&3; kill -KILL -$$; } </dev/null >/dev/null 2>&1 & exec 3<&-; exec "$0" "$@"';

/** Runs a program to its end or ours, in its own process group, which is killed whole. Never rejects. */
export function runProgram(program: ProgramOptions): Promise<ProgramResult> {
  const { file, args, cwd, env, stdin, timeoutMs, signal } = program;
  if (signal?.aborted) return Promise.resolve({ type: "killed", why: "stopped", stdout: "", stderr: "" });
  const { promise, resolve } = Promise.withResolvers<ProgramResult>();
  const child = spawn("/bin/sh", ["-c", SUPERVISED_SCRIPT, file, ...args], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
  // Held open as long as we run.
  child.stdio[3]?.on("error", () => undefined);
  const read = { stdout: collect(child.stdout), stderr: collect(child.stderr) };
  let why: string | null = null;
  let hasEnded = false;
  const killGroup = (signalName: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signalName);
    } catch {
      // No process of the group is left.
    }
  };
  const stop = (reason: string): void => {
    why ??= reason;
    killGroup("SIGTERM");
    setTimeout(() => {
      if (!hasEnded) killGroup("SIGKILL");
    }, KILL_DELAY_MS).unref();
  };
  const timer = setTimeout(() => stop(`it took longer than ${timeoutMs / 1_000} s`), timeoutMs);
  const onAbort = (): void => stop("stopped");
  signal?.addEventListener("abort", onAbort, { once: true });
  const end = (result: ProgramResult): void => {
    hasEnded = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    resolve(result);
  };
  // A program need not read its stdin.
  child.stdin.on("error", () => undefined).end(stdin);
  child.on("error", (error) => end({ type: "missing", why: `${file} cannot be run: ${error.message}` }));
  child.on("exit", (code, killedBy) => {
    // Processes left in its group are killed with it.
    killGroup("SIGKILL");
    const finish = (): void => {
      const outputs = { stdout: read.stdout(), stderr: read.stderr() };
      if (why !== null || code === null)
        end({ type: "killed", why: why ?? `ended by ${killedBy}`, ...outputs });
      else end({ type: "ended", code, ...outputs });
    };
    const pipeTimer = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
      finish();
    }, PIPE_GRACE_MS);
    child.on("close", () => {
      clearTimeout(pipeTimer);
      if (!hasEnded) finish();
    });
  });
  return promise;
}

/** One sentence about the failure; null if it succeeded. */
export function failureText(result: ProgramResult, name: string): string | null {
  if (result.type === "missing") return result.why;
  if (result.type === "killed") return `${name}: ${result.why}`;
  if (result.code === 0) return null;
  const lastLine = (result.stderr.trim() || result.stdout.trim()).split("\n").at(-1) ?? "";
  return `${name} ended with ${result.code}${lastLine === "" ? "" : `: ${lastLine.slice(0, 300)}`}`;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (part: Buffer) => {
    if (bytes < MAX_OUTPUT_BYTES) parts.push(part.subarray(0, MAX_OUTPUT_BYTES - bytes));
    bytes += part.length;
  });
  return () => Buffer.concat(parts).toString("utf8").toWellFormed();
}
