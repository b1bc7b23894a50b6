import { findAgentProfile } from "../../agents/agent-profiles.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { quoteWordIfNeeded } from "../../shell/quote-word.ts";

/** The command that resumes a session; null if a value reported by an agent is unsafe to type. */
export function resumeCommand({
  sessionId,
  provider,
  cwd,
  projectPath,
}: Pick<SessionSnapshot, "sessionId" | "provider" | "cwd" | "projectPath">): string | null {
  const folder = cwd ?? projectPath;
  const { resumeCommand: resume } = findAgentProfile(provider) ?? {};
  if (resume === undefined || !isSafeId(sessionId) || folder === null) return null;
  if (!folder.startsWith("/") || /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(folder)) return null;
  return `cd ${quoteWordIfNeeded(folder)} && ${resume(sessionId).map(quoteWordIfNeeded).join(" ")}`;
}

export function jumpCommand({
  sessionId,
  terminal,
  endedAtIso,
}: Pick<SessionSnapshot, "sessionId" | "terminal" | "endedAtIso">): string | null {
  if (terminal === null || endedAtIso !== null || !isSafeId(sessionId)) return null;
  return `hookline session ${sessionId} --jump`;
}

function isSafeId(id: string): boolean {
  return /^\w[\w-]*$/.test(id);
}
