import { AppError } from "../app-error.ts";
import { type Config, loadConfig, readConfigFile } from "../config.ts";
import type { Env, Home } from "../home.ts";
import { writeConfig } from "../write-config.ts";

/** For `install`: undefined leaves the configured value. */
export interface SteerSwitches {
  readonly guard?: boolean | undefined;
  readonly failClosed?: boolean | undefined;
  readonly approve?: boolean | undefined;
}

export interface SwitchedConfig {
  readonly config: Config;
  /** Writes the changes to `config.json`. */
  save(): void;
}

/** The configuration with the switches applied; nothing is written before `save`. */
export function applySteerSwitches(
  home: Home,
  { guard, failClosed, approve }: SteerSwitches,
  env: Env,
): SwitchedConfig {
  const { config } = loadConfig(home, env);
  const next: Config = {
    ...config,
    guard: { on: guard ?? config.guard.on, failClosed: failClosed ?? config.guard.failClosed },
    approve: { ...config.approve, on: approve ?? config.approve.on },
  };
  if (failClosed === true && !next.guard.on) throw new AppError("usage", "--fail-closed requires --guard.");
  const file = readConfigFile(home);
  const change: Record<string, unknown> = {};
  if (guard !== undefined || failClosed !== undefined) change["guard"] = next.guard;
  if (approve !== undefined) change["approve"] = { ...toObject(file["approve"]), on: approve };
  return {
    config: next,
    save: () => {
      if (Object.entries(change).some(([key, value]) => !isSame(file[key], value))) writeConfig(home, change);
    },
  };
}

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
