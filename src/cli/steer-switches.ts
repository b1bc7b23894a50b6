import { AppError } from "../app-error.ts";
import { type Config, loadConfig, readConfigFile } from "../config.ts";
import type { Home } from "../home.ts";
import { writeConfig } from "../write-config.ts";

/** Of `install`: undefined leaves it as it is configured. */
export interface SteerSwitches {
  readonly guard?: boolean | undefined;
  readonly failClosed?: boolean | undefined;
  readonly approve?: boolean | undefined;
}

export interface SwitchedConfig {
  readonly config: Config;
  /** Writes what changed into `config.json`. */
  keep(): void;
}

/** The configuration as the switches leave it; nothing is written before `keep`. */
export function switchSteering(
  home: Home,
  { guard, failClosed, approve }: SteerSwitches,
  env = process.env,
): SwitchedConfig {
  const { config } = loadConfig(home, env);
  const next: Config = {
    ...config,
    guard: { on: guard ?? config.guard.on, failClosed: failClosed ?? config.guard.failClosed },
    approve: { ...config.approve, on: approve ?? config.approve.on },
  };
  if (failClosed === true && !next.guard.on)
    throw new AppError("usage", "--fail-closed is about the guard: give --guard as well.");
  const file = readConfigFile(home);
  const change: Record<string, unknown> = {};
  if (guard !== undefined || failClosed !== undefined) change["guard"] = next.guard;
  if (approve !== undefined) change["approve"] = { ...partOf(file["approve"]), on: approve };
  return {
    config: next,
    keep: () => {
      if (Object.entries(change).some(([key, value]) => !isSame(file[key], value))) writeConfig(home, change);
    },
  };
}

function partOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
