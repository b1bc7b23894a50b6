import { type Limits, limitsText } from "../monitor/limits.ts";
import type { AwayReport, SessionSnapshot } from "../serve/contract.ts";
import { groupSessions } from "../shown/session-groups.ts";
import { plural, spentText } from "./amounts.ts";
import { recordedRequests } from "./waiting-requests.ts";

/** `2 need you (3 requests) · 3 busy · 1 parked · 4 idle · 1 lost`, without zero counts. */
export function sessionCountsText(sessions: Iterable<SessionSnapshot>, now: number): string {
  const groups = groupSessions(sessions, now);
  const counts = COUNTED_GROUPS.map((group) => {
    const members = groups[group];
    if (members.length === 0) return null;
    return group === "needYou" ? needsYouText(members) : `${members.length} ${group}`;
  });
  return counts.filter(Boolean).join(" · ");
}

const COUNTED_GROUPS = ["needYou", "busy", "parked", "idle", "lost"] as const;

/** How many sessions need a person, and the number of requests if it is higher. */
export function needsYouText(sessions: readonly SessionSnapshot[], word = ""): string {
  const requests = sessions.reduce((sum, session) => sum + recordedRequests(session).length, 0);
  const { length } = sessions;
  const subject = word === "" ? String(length) : plural(length, word);
  const requestsText = requests > length ? ` (${plural(requests, "request")})` : "";
  return `${subject} ${length === 1 ? "needs" : "need"} you${requestsText}`;
}

/** One line for a terminal's status bar; unknown parts are omitted. */
export function statusLine(
  sessions: readonly SessionSnapshot[],
  cost: AwayReport["cost"] | null,
  limits: Limits,
  now: number,
): string {
  const spent = cost === null ? null : spentText(cost);
  const parts = [
    sessionCountsText(sessions, now),
    spent === null ? null : `${spent} today`,
    limitsText(limits),
  ];
  return parts.filter(Boolean).join(" | ");
}

/** The start of the current day in local time. */
export function localMidnight(now: number): string {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day.toISOString();
}
