import { agentChecks } from "./agent.ts";
import { askHookChecks } from "./ask-hooks.ts";
import type { Check } from "./check.ts";
import { clockChecks } from "./clock.ts";
import { configChecks } from "./config.ts";
import { daemonChecks } from "./daemon.ts";
import { databaseChecks } from "./database.ts";
import { hookChecks } from "./hooks.ts";
import { launcherChecks } from "./launcher.ts";
import { otherAgentChecks } from "./other-agents.ts";
import { portChecks } from "./port.ts";
import { privacyChecks } from "./privacy.ts";
import { runtimeChecks } from "./runtime.ts";
import { spoolChecks } from "./spool.ts";
import { steeringChecks } from "./steering.ts";

/** In the order of repair: what a daemon needs at startup is fixed before it is started. */
export const CHECKS: readonly Check[] = [
  ...runtimeChecks,
  ...agentChecks,
  ...hookChecks,
  ...configChecks,
  ...askHookChecks,
  ...otherAgentChecks,
  ...steeringChecks,
  ...spoolChecks,
  ...privacyChecks,
  ...launcherChecks,
  ...databaseChecks,
  ...daemonChecks,
  ...portChecks,
  ...clockChecks,
];
