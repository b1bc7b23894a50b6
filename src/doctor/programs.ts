import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../home.ts";
import { daemonEnv } from "../hook/digest-command.ts";

/** The first program of this name on PATH. */
export function findProgram(name: string, env: Env): string | null {
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const VERSION_MS = 5_000;

/**
 * The output of `<program> --version`, run with no more of our environment than a daemon gets. Null if it
 * fails, prints no version, or does not end.
 */
export async function versionOf(program: string, env: Env): Promise<string | null> {
  const run = await runProgram(program, ["--version"], env, VERSION_MS);
  return /\d+\.\d+\.\d+/.exec(run)?.[0] ?? null;
}

/** Its output, even if it failed or was killed at the limit together with everything it started. */
export function runProgram(
  file: string,
  args: readonly string[],
  env: Env,
  limitMs: number,
): Promise<string> {
  const kept = Object.fromEntries(
    daemonEnv.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]])),
  );
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: kept,
      cwd: "/",
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let output = "";
    const end = (): void => {
      clearTimeout(timer);
      child.stdout.destroy();
      resolve(output);
    };
    const timer = setTimeout(() => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      end();
    }, limitMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.on("error", end).on("close", end);
  });
}

/** Whether a version such as 22.16.0 is older than another. */
export function isOlderVersion(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split(".").map(Number));
  const index = [0, 1, 2].find((at) => (a![at] ?? 0) !== (b![at] ?? 0));
  return index !== undefined && (a![index] ?? 0) < (b![index] ?? 0);
}
