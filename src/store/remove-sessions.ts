import type { Log } from "../log/log.ts";
import type { Facts } from "./facts.ts";

export interface RemoveSessionsOptions {
  readonly log: Pick<Log, "erase">;
  readonly facts: Facts;
  readonly nowIso: string;
}

/**
 * Removes sessions from log and store together. What is asked for is written down first, so that a process
 * killed midway finishes the work at its next start.
 */
export async function removeSessions(
  sessionIds: readonly string[],
  options: RemoveSessionsOptions,
): Promise<number> {
  const { facts } = options;
  for (const sessionId of sessionIds) await facts.askRemoval(sessionId, options.nowIso);
  const asked = new Set(await facts.removals());
  if (asked.size === 0) return 0;
  await options.log.erase((line) => (isOfAny(line, asked) ? "" : undefined));
  for (const sessionId of asked) await facts.removeSession(sessionId);
  return asked.size;
}

function isOfAny(line: string, sessionIds: ReadonlySet<string>): boolean {
  // Cheap look first: most lines are of other sessions, and in ours the id stands before any content.
  const own = /"sessionId":"([^"\\]+)"/.exec(line)?.[1];
  if (own !== undefined && !sessionIds.has(own)) return false;
  try {
    return sessionIds.has((JSON.parse(line) as { sessionId?: string }).sessionId ?? "");
  } catch {
    return true;
  }
}
