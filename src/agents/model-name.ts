import { agentProfiles } from "./agent-profiles.ts";

const MODEL_PREFIXES = agentProfiles.flatMap(({ modelPrefix }) => modelPrefix ?? []);

/** The name as lists show it: without the agent's common model prefix and without the release date. */
export function shortModelName(model: string): string {
  const trimmed = model.trim();
  const prefix = MODEL_PREFIXES.find((candidate) => trimmed.startsWith(candidate)) ?? "";
  return trimmed
    .slice(prefix.length)
    .replace(/-\d{8}(?=$|\[)/, "")
    .replace(/(\d)-(?=\d)/g, "$1.");
}
