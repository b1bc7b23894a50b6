import type { SessionSnapshot } from "../serve/contract.ts";
import { groupOf, type SessionGroup } from "../shown/session-groups.ts";
import type { Colour } from "./paint.ts";

/** How a state looks: a shape, a word and a colour, so that none of them is needed alone. */
export interface Face {
  readonly icon: string;
  readonly word: (typeof STATE_WORDS)[number];
  readonly colour: Colour;
}

const IDLE: Face = { icon: "○", word: "idle", colour: "blue" };

/** Every word that `faceOf` gives. */
export const STATE_WORDS = [
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

const FAILED: Face = { icon: "!", word: "failed", colour: "red" };

export function faceOf(session: SessionSnapshot): Face {
  // One that ended with a failed turn did not do what it was to do.
  if (session.state === "completed" && session.error !== null) return FAILED;
  if (session.state === "completed") return { icon: "✓", word: "done", colour: "dim" };
  if (session.state === "lost") return { icon: "✕", word: "lost", colour: "red" };
  // What waits for a person waits on, however long nothing was heard of it.
  if (session.state === "idle" && !session.needsPerson) return IDLE;
  switch (session.activityPhase) {
    case "waiting_permission":
      return { icon: "◆", word: "permission", colour: "yellow" };
    case "waiting_question":
      return { icon: "?", word: "question", colour: "yellow" };
    case "waiting_plan":
      return { icon: "▤", word: "plan", colour: "yellow" };
    case "rate_limited":
      return { icon: "⏳", word: "limited", colour: "red" };
    case "failed":
      return FAILED;
    case "busy":
      return { icon: "●", word: "busy", colour: "green" };
    case "compacting":
      return { icon: "●", word: "compacting", colour: "green" };
    case "parked":
      return { icon: "◐", word: "parked", colour: "cyan" };
    case "interactable":
    case null:
      return IDLE;
    default:
      return session.activityPhase satisfies never;
  }
}

const PLACES: Readonly<Record<SessionGroup, number>> = {
  needYou: 0,
  busy: 1,
  parked: 2,
  idle: 3,
  done: 4,
  lost: 4,
};

/** Who needs a person first, the longest wait first; in the other groups the newest first. */
export function inOrder(sessions: Iterable<SessionSnapshot>): SessionSnapshot[] {
  return [...sessions].sort((a, b) => {
    const groups = PLACES[groupOf(a)] - PLACES[groupOf(b)];
    if (groups !== 0) return groups;
    const byTime =
      groupOf(a) === "needYou"
        ? compare(waitsSince(a), waitsSince(b))
        : compare(b.lastEventAtIso, a.lastEventAtIso);
    return byTime || compare(a.sessionId, b.sessionId);
  });
}

export function waitsSince(session: SessionSnapshot): string {
  return session.waiting?.sinceIso ?? session.sinceIso;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
