import { agentProfiles } from "./agent-profiles.ts";

const PREFIXES = agentProfiles.flatMap(({ modelPrefix }) => modelPrefix ?? []);

/** The name as lists show it: without the agent's common model prefix and without the release date. */
export function shortModelName(model: string): string {
  const whole = model.trim();
  const prefix = PREFIXES.find((each) => whole.startsWith(each)) ?? "";
  return whole
    .slice(prefix.length)
    .replace(/-\d{8}(?=$|\[)/, "")
    .replace(/(\d)-(?=\d)/g, "$1.");
}
