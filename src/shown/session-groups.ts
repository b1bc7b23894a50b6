import { isSampleSession } from "../event/sample.ts";

/**
 * The group a session counts in (`2 need you · 3 busy · 1 parked · 4 idle · 1 lost`), the same everywhere.
 */
export type SessionGroup = "needYou" | "busy" | "parked" | "idle" | "done" | "lost";

export interface GroupedSession {
  readonly sessionId: string;
  readonly state: "active" | "idle" | "completed" | "lost";
  readonly activityPhase: string | null;
  readonly needsPerson: boolean;
  readonly lastEventAtIso: string;
}

/** How long an ended session still counts; equal to how long it stays watched. */
export const ENDED_VISIBLE_MS = 24 * 3_600_000;

export function groupOf({ state, activityPhase, needsPerson }: GroupedSession): SessionGroup {
  if (state === "completed") return "done";
  if (state === "lost") return "lost";
  if (needsPerson) return "needYou";
  if (state === "idle") return "idle";
  switch (activityPhase) {
    case "busy":
    case "compacting":
    case "rate_limited":
      return "busy";
    case "parked":
      return "parked";
    default:
      return "idle";
  }
}

export function isSessionOver({ state }: Pick<GroupedSession, "state">): boolean {
  return state === "completed" || state === "lost";
}

/** The sessions that count now, by group. The sample session is excluded. */
export function groupSessions<T extends GroupedSession>(
  sessions: Iterable<T>,
  nowMs: number,
): Readonly<Record<SessionGroup, readonly T[]>> {
  const groups: Record<SessionGroup, T[]> = {
    needYou: [],
    busy: [],
    parked: [],
    idle: [],
    done: [],
    lost: [],
  };
  for (const session of sessions) {
    if (isSampleSession(session.sessionId)) continue;
    if (isSessionOver(session) && nowMs - Date.parse(session.lastEventAtIso) >= ENDED_VISIBLE_MS) continue;
    groups[groupOf(session)].push(session);
  }
  return groups;
}
