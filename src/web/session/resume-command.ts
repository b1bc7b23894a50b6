import { wordsOf } from "../../agents/known-words.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";

/** What a person types to go on with a session; null where what an agent told cannot be typed safely. */
export function resumeCommand({
  sessionId,
  provider,
  cwd,
  projectPath,
}: Pick<SessionSnapshot, "sessionId" | "provider" | "cwd" | "projectPath">): string | null {
  const folder = cwd ?? projectPath;
  const { resume } = wordsOf(provider) ?? {};
  if (resume === undefined || !isSafeId(sessionId) || folder === null) return null;
  if (!folder.startsWith("/") || /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(folder)) return null;
  return `cd ${shellQuote(folder)} && ${resume(sessionId).map(shellQuote).join(" ")}`;
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

function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
