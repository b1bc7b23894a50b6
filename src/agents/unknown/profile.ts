import type { AgentProfile } from "../agent-profile.ts";
import { WATCHED_ONLY } from "../capabilities.ts";
import { genericTools } from "../generic-tools.ts";
import { UNKNOWN_AGENT } from "../hook-delivery.ts";

export const unknownProfile = {
  id: UNKNOWN_AGENT,
  label: "unknown agent",
  tools: genericTools,
  capabilities: WATCHED_ONLY,
} as const satisfies AgentProfile;
