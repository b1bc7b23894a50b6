import type { AgentProfile } from "./agent-profile.ts";
import { claudeProfile } from "./claude/profile.ts";
import type { AgentId } from "./hook-delivery.ts";
import { unknownProfile } from "./unknown/profile.ts";

/** The profiles of the agents in `registry.ts`, in its order. Static data, so any stage may import it. */
export const agentProfiles: readonly AgentProfile[] = [claudeProfile, unknownProfile];

/**
 * Applies to calls recorded without a kind, to requests that name no form, and to driven sessions: earlier
 * versions knew only this agent.
 */
export const defaultAgentProfile: AgentProfile = claudeProfile;

export function agentLabel(id: AgentId): string {
  return (findAgentProfile(id) ?? unknownProfile).label;
}

/** Never returns the profile of unknown agents. */
export function findAgentProfile(id: AgentId): AgentProfile | undefined {
  return id === unknownProfile.id ? undefined : agentProfiles.find((profile) => profile.id === id);
}
