import type { SessionSnapshot } from "./session-snapshot.ts";

/** Whether the session was opened and closed without a prompt or a call. */
export function isEmptySession({
  turnCount,
  toolCount,
  lastUserMessage,
}: Pick<SessionSnapshot, "turnCount" | "toolCount" | "lastUserMessage">): boolean {
  return turnCount === 0 && toolCount === 0 && lastUserMessage === null;
}
