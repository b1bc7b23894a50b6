import { findAgentProfile } from "../agents/agent-profiles.ts";
import { AppError } from "../app-error.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { quoteWordIfNeeded } from "../shell/quote-word.ts";
import { oneLine } from "../shown/plain-text.ts";

/** The command that resumes a session. Refuses values reported by an agent that are unsafe to type. */
export function resumeCommand({ sessionId, provider, cwd, projectPath }: SessionSnapshot): string {
  const fail = (why: string): AppError => new AppError("session_unreachable", why);
  const { resumeCommand: resume } = findAgentProfile(provider) ?? {};
  if (resume === undefined) throw fail(`sessions of "${oneLine(provider)}" cannot be resumed from here.`);
  if (!/^\w[\w-]*$/.test(sessionId)) throw fail("its id is not safe to use in a command.");
  const folder = cwd ?? projectPath;
  if (folder === null) throw fail("its folder is unknown.");
  if (!folder.startsWith("/") || /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(folder))
    throw fail("its folder name is not safe to use in a command.");
  return `cd ${quoteWordIfNeeded(folder)} && ${resume(sessionId).map(quoteWordIfNeeded).join(" ")}`;
}
