import type { SessionSnapshot } from "./session-snapshot.ts";

/** Whether it was opened and closed again: nothing was asked and nothing ran. */
export function isEmptySession({
  turnCount,
  toolCount,
  lastUserMessage,
}: Pick<SessionSnapshot, "turnCount" | "toolCount" | "lastUserMessage">): boolean {
  return turnCount === 0 && toolCount === 0 && lastUserMessage === null;
}
