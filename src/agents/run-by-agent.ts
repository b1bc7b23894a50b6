import { agentProfiles } from "./agent-profiles.ts";

const MARKS = agentProfiles.flatMap(({ commandEnvVar }) => commandEnvVar ?? []);

/** Whether this is the environment of a command that an agent runs. Best effort: it can be unset. */
export function isRunByAgent(env: Readonly<Record<string, string | undefined>>): boolean {
  return MARKS.some((name) => Boolean(env[name]));
}
