import { useEffect } from "react";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { live } from "../api/live.ts";
import { matchPath } from "./router.ts";

/** The last viewed list, in its order: a session's page steps through it. */
let shown: readonly SessionSnapshot[] = [];

export function useShownSessions(sessions: readonly SessionSnapshot[]): void {
  useEffect(() => {
    shown = sessions;
  }, [sessions]);
}

export function findSession(sessionId: string): SessionSnapshot | null {
  return (
    live.get().sessions.get(sessionId) ?? shown.find((session) => session.sessionId === sessionId) ?? null
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

/** The one after or before the open one, wrapping around; null if there is no other. */
export function adjacentSessionId(by: 1 | -1): string | null {
  const open = matchPath("/s/:id", location.pathname)?.["id"];
  if (open === undefined) return null;
  const isThere = shown.some(({ sessionId }) => sessionId === open);
  const list = isThere ? shown : [...live.get().sessions.values()];
  const at = list.findIndex(({ sessionId }) => sessionId === open);
  const next = list[at === -1 ? 0 : (at + by + list.length) % list.length]?.sessionId;
  return next === undefined || next === open ? null : next;
}
