import { useEffect } from "react";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { live } from "../api/live.ts";
import { matchPath } from "./router.ts";

/** The last viewed list, through which a session's page can step. */
let shownSessions: readonly SessionSnapshot[] = [];

export function useShownSessions(sessions: readonly SessionSnapshot[]): void {
  useEffect(() => {
    shownSessions = sessions;
  }, [sessions]);
}

export function findSession(sessionId: string): SessionSnapshot | null {
  return (
    live.get().sessions.get(sessionId) ??
    shownSessions.find((session) => session.sessionId === sessionId) ??
    null
  );
}

/** The session whose page is open. */
export function pageSessionId(): string | null {
  const { pathname } = location;
  return (matchPath("/s/:id", pathname) ?? matchPath("/steer/:id", pathname))?.["id"] ?? null;
}

/** The session of the focused row. */
export function focusedSessionId(): string | null {
  return document.activeElement?.closest<HTMLElement>("main [data-session]")?.dataset["session"] ?? null;
}

/** The session after or before the open one, wrapping around; null if there is no other. */
export function adjacentSessionId(step: 1 | -1): string | null {
  const openId = matchPath("/s/:id", location.pathname)?.["id"];
  if (openId === undefined) return null;
  const isListed = shownSessions.some(({ sessionId }) => sessionId === openId);
  const list = isListed ? shownSessions : [...live.get().sessions.values()];
  const index = list.findIndex(({ sessionId }) => sessionId === openId);
  const next = list[index === -1 ? 0 : (index + step + list.length) % list.length]?.sessionId;
  return next === undefined || next === openId ? null : next;
}
