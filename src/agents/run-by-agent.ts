import { agentProfiles } from "./agent-profiles.ts";

const COMMAND_ENV_VARS = agentProfiles.flatMap(({ commandEnvVar }) => commandEnvVar ?? []);

/** Whether this is the environment of a command that an agent runs. Best effort: it can be unset. */
export function isRunByAgent(env: Readonly<Record<string, string | undefined>>): boolean {
  return COMMAND_ENV_VARS.some((name) => Boolean(env[name]));
}
