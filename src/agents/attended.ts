import { agentProfiles } from "./agent-profiles.ts";

/** Whether a user attends a session, judged by the environment at its start; null if that does not say. */
export function isAttendedSession(env: Readonly<Record<string, unknown>>): boolean | null {
  for (const profile of agentProfiles) {
    const isAttended = profile.isAttended?.(env) ?? null;
    if (isAttended !== null) return isAttended;
  }
  return null;
}
