import type { HookedAgent } from "../agents/installer.ts";
import type { Config } from "../config.ts";
import type { Env, Home } from "../home.ts";
import { type InstallResult, installHooks, type Scope } from "../hook/install.ts";
import type { LaunchTarget } from "../hook/launcher.ts";
import { applySteerSwitches, type SteerSwitches } from "../hook/steer-switches.ts";
import { readWaitingHooks } from "./waiting-hooks.ts";

export interface SteeredInstall {
  readonly agent: HookedAgent;
  readonly home: Home;
  readonly env: Env;
  readonly scope: Scope;
  /** The project of scope `project`. */
  readonly projectDir: string;
  readonly launcher: LaunchTarget;
  readonly switches: SteerSwitches;
  readonly dryRun: boolean;
}

/** `hookline install`: adds the hooks that configuration, rules and switches call for, then saves the switches. */
export async function installSteered({
  switches,
  ...options
}: SteeredInstall): Promise<{ result: InstallResult; config: Config }> {
  const { home, env, scope, projectDir, dryRun } = options;
  const steering = applySteerSwitches(home, switches, env);
  const react = readWaitingHooks(home, scope === "project" ? projectDir : undefined);
  const result = await installHooks({ ...options, config: steering.config, react });
  if (!dryRun) steering.save();
  return { result, config: steering.config };
}
