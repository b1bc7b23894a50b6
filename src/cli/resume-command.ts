import { findAgentProfile } from "../agents/agent-profiles.ts";
import { AppError } from "../app-error.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { quoteWordIfNeeded } from "../shell/quote-word.ts";
import { oneLine } from "../shown/plain-text.ts";

/** The command that resumes a session. Refuses values reported by an agent that are unsafe to type. */
export function resumeCommand({ sessionId, provider, cwd, projectPath }: SessionSnapshot): string {
  const cannot = (why: string): AppError => new AppError("session_unreachable", why);
  const { resumeCommand: resume } = findAgentProfile(provider) ?? {};
  if (resume === undefined) throw cannot(`how to resume a session of "${oneLine(provider)}" is not known.`);
  if (!/^\w[\w-]*$/.test(sessionId)) throw cannot("its id is none that a command line can hold.");
  const folder = cwd ?? projectPath;
  if (folder === null) throw cannot("nobody told in which folder it ran.");
  if (!folder.startsWith("/") || /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(folder))
    throw cannot("its folder has a name that is not safe to type.");
  return `cd ${quoteWordIfNeeded(folder)} && ${resume(sessionId).map(quoteWordIfNeeded).join(" ")}`;
}
