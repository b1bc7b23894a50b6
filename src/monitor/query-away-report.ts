import { isDeniedCall } from "../agents/denied-call.ts";
import type { HooklineEvent } from "../event/event.ts";
import { isSampleSession } from "../event/sample.ts";
import type { FactCursor, WaitRow, WithSessionRows } from "../store/session-rows.ts";
import { isEmptySession } from "./empty-session.ts";
import { localDay } from "./local-day.ts";
import { mergeWaits } from "./merge-waits.ts";
import { querySessions, type SessionCriteria } from "./query-sessions.ts";
import { queryCost, queryUsage } from "./query-usage.ts";
import { changedFile } from "./read-detail.ts";
import type { AwayReport, WaitTotals } from "./session-detail.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import type { SessionTracker } from "./session-tracker.ts";
import { toSessionRow } from "./to-session-row.ts";
import type { UsageTotals } from "./usage-tallies.ts";
import type { WatchedSessions } from "./watched-sessions.ts";

type Sessions = Pick<SessionTracker, "watched" | "wake" | "emit">;

const MAX_SESSIONS = 500;
const MAX_FAILURES = 100;
const MAX_FILES = 500;
const FACTS_PER_PAGE = 1_000;

/** What happened between a time and now. Never ahead of the reported changes of a watched session. */
export async function queryAwayReport(
  { watched, wake, emit }: Sessions,
  rows: WithSessionRows,
  sinceIso: string,
  untilIso: string,
): Promise<AwayReport> {
  const findSessions = async (filter: Partial<SessionCriteria>): Promise<SessionSnapshot[]> => [
    ...withoutSample((await querySessions(watched, rows, { ...filter, limit: MAX_SESSIONS }, emit)).sessions),
  ];
  const sessions = await findSessions({ since: sinceIso });
  const ended = sessions.filter(({ endedAtIso }) => endedAtIso !== null && endedAtIso >= sinceIso);
  const waiting = await findSessions({ needsPerson: true });
  const waits = await waitsSince({ watched: watched, wake }, rows, sinceIso);
  return {
    sinceIso,
    untilIso,
    needsPerson: waiting.toSorted((a, b) => (a.sinceIso < b.sinceIso ? -1 : 1)),
    finished: ended.filter((session) => session.state === "completed" && !isEmptySession(session)),
    lost: ended.filter(({ state }) => state === "lost"),
    ...(await readFailuresAndFiles(rows, sinceIso)),
    cost: await queryCost(rows, { prices: watched.prices, sinceIso, nowIso: untilIso }),
    humanWaitMs: waits.reduce((sum, wait) => sum + overlapMs(wait, sinceIso, untilIso), 0),
  };
}

/** Excludes the sample session. */
function* withoutSample<T extends { readonly sessionId: string }>(items: Iterable<T>): Generator<T> {
  for (const item of items) if (!isSampleSession(item.sessionId)) yield item;
}

/** Reads in pages, one query each. */
async function forEachFactSince(
  rows: WithSessionRows,
  sinceIso: string,
  type: string,
  read: (event: HooklineEvent) => void,
): Promise<void> {
  for (let after: FactCursor | null | undefined; after !== null; ) {
    const query = { sinceIso, type, after, limit: FACTS_PER_PAGE };
    const page = await rows((store) => store.factsSince(query));
    for (const event of withoutSample(page.facts)) read(event);
    after = page.next;
  }
}

async function readFailuresAndFiles(
  rows: WithSessionRows,
  sinceIso: string,
): Promise<Pick<AwayReport, "failures" | "failedToolCount" | "filesChanged">> {
  const failures: AwayReport["failures"] = [];
  await forEachFactSince(rows, sinceIso, "turn.failed", (event) => {
    const message = event["lastAssistantMessage"];
    failures.push({
      sessionId: event.sessionId,
      atIso: event.occurredAtIso,
      what: typeof event["error"] === "string" ? event["error"] : "unknown",
      message: typeof message === "string" ? message : null,
    });
  });
  const files = new Map<string, { projectPath: string | null; path: string; count: number }>();
  let failedToolCount = 0;
  await forEachFactSince(rows, sinceIso, "tool_observation", (event) => {
    if (event.payload?.success === false && !isDeniedCall(event)) failedToolCount++;
    const path = changedFile(event);
    if (path === null) return;
    const file = files.get(path) ?? { projectPath: event.projectPath, path, count: 0 };
    files.set(path, { ...file, count: file.count + 1 });
  });
  return {
    failures: failures.slice(-MAX_FAILURES),
    failedToolCount,
    filesChanged: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_FILES),
  };
}

/** How long agents waited for a person, by the requested grouping. Days are in this machine's time zone. */
export async function queryWaitTotals(
  sessions: Omit<Sessions, "emit">,
  rows: WithSessionRows,
  criteria: { readonly since?: string | undefined; readonly by: "day" | "project" | "session" },
  nowIso: string,
): Promise<WaitTotals> {
  const since = criteria.since ?? new Date(Date.parse(nowIso) - 30 * 24 * 3_600_000).toISOString();
  const totals = new Map<string, { key: string; count: number; totalMs: number; longestMs: number }>();
  for (const wait of await waitsSince(sessions, rows, since)) {
    const key = keyOf(wait, criteria.by);
    const ms = overlapMs(wait, since, nowIso);
    const total = totals.get(key) ?? { key, count: 0, totalMs: 0, longestMs: 0 };
    totals.set(key, {
      key,
      count: total.count + 1,
      totalMs: total.totalMs + ms,
      longestMs: Math.max(total.longestMs, ms),
    });
  }
  return { since, totals: [...totals.values()].sort((a, b) => (a.key < b.key ? -1 : 1)) };
}

/** Usage and waiting times. Defaults to the last 30 days. */
export async function queryUsageWithWaits(
  sessions: Omit<Sessions, "emit">,
  rows: WithSessionRows,
  criteria: { readonly since?: string | undefined; readonly by: "model" | "project" },
  nowIso: string,
): Promise<UsageTotals> {
  const sinceIso = criteria.since ?? new Date(Date.parse(nowIso) - 30 * 24 * 3_600_000).toISOString();
  const waitRows = await waitsSince(sessions, rows, sinceIso);
  const waits = waitRows.map((wait) => ({ wait, ms: overlapMs(wait, sinceIso, nowIso) }));
  return queryUsage(rows, { prices: sessions.watched.prices, sinceIso, nowIso, by: criteria.by, waits });
}

/** Saved waits, plus the current ones of watched sessions; overlapping waits of a session are merged. */
async function waitsSince(
  { watched, wake }: Omit<Sessions, "emit">,
  rows: WithSessionRows,
  sinceIso: string,
): Promise<WaitRow[]> {
  const savedWaits = await rows((store) => store.waitsSince(sinceIso));
  return wake(
    () =>
      watched
        .snapshots()
        .filter(hasWaited)
        .map(({ sessionId }) => sessionId),
    () => {
      const current = watched.snapshots().flatMap((snapshot) => waitsOf(watched, snapshot, sinceIso));
      const others = savedWaits.filter(({ sessionId }) => !watched.has(sessionId));
      const bySession = Map.groupBy(withoutSample([...others, ...current]), ({ sessionId }) => sessionId);
      return [...bySession.values()].flatMap(mergeWaits);
    },
  );
}

function hasWaited({ humanWaitMs, waiting }: SessionSnapshot): boolean {
  return humanWaitMs > 0 || waiting !== null;
}

function waitsOf(watched: WatchedSessions, snapshot: SessionSnapshot, sinceIso: string): readonly WaitRow[] {
  if (!hasWaited(snapshot)) return [];
  const view = watched.view(snapshot.sessionId);
  if (view === undefined) return [];
  return toSessionRow(snapshot, view).waits.filter(
    ({ endedAtIso }) => endedAtIso === null || endedAtIso >= sinceIso,
  );
}

function overlapMs(wait: WaitRow, sinceIso: string, nowIso: string): number {
  const from = wait.startedAtIso > sinceIso ? wait.startedAtIso : sinceIso;
  return Math.max(0, Date.parse(wait.endedAtIso ?? nowIso) - Date.parse(from));
}

function keyOf(wait: WaitRow, by: "day" | "project" | "session"): string {
  if (by === "session") return wait.sessionId;
  if (by === "project") return wait.projectPath ?? "";
  return localDay(new Date(wait.startedAtIso));
}
