import { AppError } from "../app-error.ts";
import { isOver } from "./driven-state.ts";
import type { Journals } from "./journals.ts";
import type { LiveSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";

export interface KnownSessions {
  readonly live: Pick<LiveSessions, "get">;
  readonly journals: Pick<Journals, "find">;
}

/** Synchronous for a live session, so that commands take effect in the order in which they arrive. */
export function findSession(known: KnownSessions, sessionId: string): LiveSession | Promise<never> {
  return known.live.get(sessionId) ?? refuse(known, sessionId);
}

/** A session that can still receive commands. */
export async function findOpenSession(known: KnownSessions, sessionId: string): Promise<LiveSession> {
  const session = await findSession(known, sessionId);
  if (isOver(session.driver.state())) throw closedSession(sessionId);
  return session;
}

export function unknownSession(sessionId: string): AppError {
  return new AppError("session_unknown", `Session ${sessionId} was not started here.`);
}

async function refuse({ journals }: KnownSessions, sessionId: string): Promise<never> {
  throw (await journals.find(sessionId, () => true)) ? closedSession(sessionId) : unknownSession(sessionId);
}

function closedSession(sessionId: string): AppError {
  return new AppError("session_closed", `Session ${sessionId} is closed. You can resume it.`);
}
