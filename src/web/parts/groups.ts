import { isSampleSession } from "../../event/sample.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { standingOf } from "./standing.ts";

export const GROUPS = ["needYou", "busy", "parked", "idle", "done", "lost"] as const;
export type Group = (typeof GROUPS)[number];

export function groupOf(session: SessionSnapshot): Group {
  if (session.needsPerson) return "needYou";
  if (session.state === "completed") return "done";
  switch (standingOf(session).key) {
    case "lost":
      return "lost";
    case "parked":
      return "parked";
    case "idle":
    case "interactable":
      return "idle";
    default:
      return "busy";
  }
}

export function countGroups(sessions: Iterable<SessionSnapshot>): Record<Group, number> {
  const counts = { needYou: 0, busy: 0, parked: 0, idle: 0, done: 0, lost: 0 };
  for (const session of sessions) if (!isSampleSession(session.sessionId)) counts[groupOf(session)]++;
  return counts;
}
