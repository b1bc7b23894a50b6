import { hollowLines } from "../log/hollow.ts";
import type { LogFiles } from "../log/segments.ts";
import type { Store } from "./store.ts";

export interface RemoveSessionsOptions {
  readonly log: LogFiles;
  readonly store: Store;
  /** Closes the active segment: only closed ones are rewritten. */
  readonly rotate: () => Promise<void>;
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
  const { store } = options;
  for (const sessionId of sessionIds) store.askRemoval(sessionId, options.nowIso);
  const asked = new Set(store.removals());
  if (asked.size === 0) return 0;
  await options.rotate();
  await hollowLines(options.log, (line) => {
    // Cheap look first: most lines are of other sessions, and in ours the id stands before any content.
    const own = /"sessionId":"([^"\\]+)"/.exec(line)?.[1];
    if (own !== undefined && !asked.has(own)) return false;
    try {
      return asked.has((JSON.parse(line) as { sessionId?: string }).sessionId ?? "");
    } catch {
      return true;
    }
  });
  for (const sessionId of asked) store.removeSession(sessionId);
  return asked.size;
}
