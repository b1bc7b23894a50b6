import type { SessionSnapshot } from "../serve/contract.ts";
import { groupOf, type SessionGroup } from "../shown/session-groups.ts";
import type { Colour } from "./paint.ts";

/** How a state is shown: by icon, label and colour, so that none of them is needed alone. */
export interface StateBadge {
  readonly icon: string;
  readonly label: (typeof STATE_LABELS)[number];
  readonly colour: Colour;
}

const IDLE: StateBadge = { icon: "○", label: "idle", colour: "blue" };

/** Every label that `stateBadge` returns. */
export const STATE_LABELS = [
  "permission",
  "question",
  "plan",
  "failed",
  "limited",
  "busy",
  "compacting",
  "parked",
  "idle",
  "done",
  "lost",
] as const;

const FAILED: StateBadge = { icon: "!", label: "failed", colour: "red" };

export function stateBadge(session: SessionSnapshot): StateBadge {
  // A session that ended with a failed turn did not complete its task.
  if (session.state === "completed" && session.error !== null) return FAILED;
  if (session.state === "completed") return { icon: "✓", label: "done", colour: "dim" };
  if (session.state === "lost") return { icon: "✕", label: "lost", colour: "red" };
  // A session that waits for a person keeps waiting, however long it has been silent.
  if (session.state === "idle" && !session.needsPerson) return IDLE;
  switch (session.activityPhase) {
    case "waiting_permission":
      return { icon: "◆", label: "permission", colour: "yellow" };
    case "waiting_question":
      return { icon: "?", label: "question", colour: "yellow" };
    case "waiting_plan":
      return { icon: "▤", label: "plan", colour: "yellow" };
    case "rate_limited":
      return { icon: "⏳", label: "limited", colour: "red" };
    case "failed":
      return FAILED;
    case "busy":
      return { icon: "●", label: "busy", colour: "green" };
    case "compacting":
      return { icon: "●", label: "compacting", colour: "green" };
    case "parked":
      return { icon: "◐", label: "parked", colour: "cyan" };
    case "interactable":
    case null:
      return IDLE;
    default:
      return session.activityPhase satisfies never;
  }
}

const GROUP_ORDER: Readonly<Record<SessionGroup, number>> = {
  needYou: 0,
  busy: 1,
  parked: 2,
  idle: 3,
  done: 4,
  lost: 4,
};

/** Sessions that need a person first, longest wait first; in the other groups newest first. */
export function sortSessions(sessions: Iterable<SessionSnapshot>): SessionSnapshot[] {
  return [...sessions].sort((a, b) => {
    const byGroup = GROUP_ORDER[groupOf(a)] - GROUP_ORDER[groupOf(b)];
    if (byGroup !== 0) return byGroup;
    const byTime =
      groupOf(a) === "needYou"
        ? compare(waitingSince(a), waitingSince(b))
        : compare(b.lastEventAtIso, a.lastEventAtIso);
    return byTime || compare(a.sessionId, b.sessionId);
  });
}

export function waitingSince(session: SessionSnapshot): string {
  return session.waiting?.sinceIso ?? session.sinceIso;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
