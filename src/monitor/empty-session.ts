import type { SessionSnapshot } from "./session-snapshot.ts";

/** Whether it was opened and closed again without a prompt or a call. */
export function isEmptySession({
  turnCount,
  toolCount,
  lastUserMessage,
}: Pick<SessionSnapshot, "turnCount" | "toolCount" | "lastUserMessage">): boolean {
  return turnCount === 0 && toolCount === 0 && lastUserMessage === null;
}
