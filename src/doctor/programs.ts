import { spawn } from "node:child_process";
import type { Env } from "../home.ts";
import { daemonEnv } from "../hook/digest-command.ts";

const VERSION_TIMEOUT_MS = 5_000;

/**
 * The output of `<program> --version`, run with no more of our environment than a daemon gets. Null if it
 * fails, prints no version, or does not end.
 */
export async function versionOf(program: string, env: Env): Promise<string | null> {
  const output = await runProgram(program, ["--version"], env, VERSION_TIMEOUT_MS);
  return /\d+\.\d+\.\d+/.exec(output)?.[0] ?? null;
}

/** Returns its output, even if it failed or was killed with its children at the time limit. */
export function runProgram(
  file: string,
  args: readonly string[],
  env: Env,
  limitMs: number,
): Promise<string> {
  const passedEnv = Object.fromEntries(
    daemonEnv.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]])),
  );
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: passedEnv,
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
