import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { AppError } from "./app-error.ts";
import type { Env, Home } from "./home.ts";
import { DoctorAnswer } from "./serve/settings-contract.ts";

const ENTRY = join(import.meta.dirname, "../bin/main.mjs");
/** The longest check alone may take two minutes. */
const LIMIT_MS = 240_000;

/** The checks of `hookline doctor`, run as that command is: what it finds is what a person at the terminal would. */
export function createDoctor(
  home: Home,
  env: Env,
): (how: { readonly fix: boolean }) => Promise<DoctorAnswer> {
  const running = new Map<boolean, Promise<DoctorAnswer>>();
  return ({ fix }) => {
    // Who asks twice gets the one answer.
    const asked = running.get(fix) ?? run(home, env, fix).finally(() => running.delete(fix));
    running.set(fix, asked);
    return asked;
  };
}

function run(home: Home, env: Env, fix: boolean): Promise<DoctorAnswer> {
  const args = [...process.execArgv, ENTRY, "doctor", "--json", ...(fix ? ["--fix"] : [])];
  const options = {
    env: { ...env, HOOKLINE_HOME: home.dir } as NodeJS.ProcessEnv,
    cwd: env["HOME"] || homedir(),
    timeout: LIMIT_MS,
    maxBuffer: 16 * 1024 * 1024,
  };
  return new Promise((resolve, reject) => {
    // It exits 1 when a check fails, and tells all the same.
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const told = parse(stdout);
      if (told !== null) resolve(told);
      else
        reject(
          new AppError("doctor_failed", `the checks could not be run: ${stderr.trim() || error?.message}`),
        );
    });
  });
}

function parse(text: string): DoctorAnswer | null {
  try {
    return DoctorAnswer.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
