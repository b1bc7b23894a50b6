import { isRefused } from "../agents/refused-call.ts";
import { isSampleSession } from "../event/sample.ts";
import type { SessionRows, WaitRow } from "../store/session-rows.ts";
import { askSessions } from "./ask-sessions.ts";
import { askUsage, type UsageAnswer } from "./ask-usage.ts";
import { isEmptySession } from "./empty-session.ts";
import { localDay } from "./local-day.ts";
import { mergeWaits } from "./merge-waits.ts";
import { changedFile } from "./read-detail.ts";
import type { SessionBook } from "./session-book.ts";
import type { AwayReport, WaitTotals } from "./session-detail.ts";
import { toRow } from "./session-rows.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { createUsage } from "./usage.ts";

type AskRows = <T>(work: (rows: SessionRows) => T) => T;

const MOST_SESSIONS = 500;
const MOST_FAILURES = 100;
const MOST_FILES = 500;

/** What happened between a time and now. */
export function askAway(book: SessionBook, rows: AskRows, sinceIso: string, untilIso: string): AwayReport {
  const sessions = [...mine(askSessions(book, rows, { since: sinceIso, limit: MOST_SESSIONS }).sessions)];
  const ended = sessions.filter(({ endedAtIso }) => endedAtIso !== null && endedAtIso >= sinceIso);
  const waiting = [...mine(askSessions(book, rows, { needsPerson: true, limit: MOST_SESSIONS }).sessions)];
  return {
    sinceIso,
    untilIso,
    needsPerson: waiting.toSorted((a, b) => (a.sinceIso < b.sinceIso ? -1 : 1)),
    finished: ended.filter((session) => session.state === "completed" && !isEmptySession(session)),
    lost: ended.filter(({ state }) => state === "lost"),
    ...rows((store) => readHappened(store, book, sinceIso)),
    humanWaitMs: waitsSince(book, rows, sinceIso).reduce(
      (sum, wait) => sum + lengthMs(wait, sinceIso, untilIso),
      0,
    ),
  };
}

/** Without the sample, which happened to nobody. */
function* mine<T extends { readonly sessionId: string }>(all: Iterable<T>): Generator<T> {
  for (const one of all) if (!isSampleSession(one.sessionId)) yield one;
}

function readHappened(
  store: SessionRows,
  { prices }: SessionBook,
  sinceIso: string,
): Pick<AwayReport, "failures" | "failedToolCount" | "filesChanged" | "cost"> {
  const failures: AwayReport["failures"] = [];
  for (const event of mine(store.factsSince(sinceIso, ["turn.failed"]))) {
    const message = event["lastAssistantMessage"];
    failures.push({
      sessionId: event.sessionId,
      atIso: event.occurredAtIso,
      what: typeof event["error"] === "string" ? event["error"] : "unknown",
      message: typeof message === "string" ? message : null,
    });
  }
  const files = new Map<string, { projectPath: string | null; path: string; count: number }>();
  let failedToolCount = 0;
  for (const event of mine(store.factsSince(sinceIso, ["tool_observation"]))) {
    if (event.payload?.success === false && !isRefused(event)) failedToolCount++;
    const path = changedFile(event);
    if (path === null) continue;
    const file = files.get(path) ?? { projectPath: event.projectPath, path, count: 0 };
    files.set(path, { ...file, count: file.count + 1 });
  }
  const usage = createUsage(prices);
  for (const event of mine(store.factsSince(sinceIso, ["assistant.message"]))) usage.tell(event);
  return {
    failures: failures.slice(-MOST_FAILURES),
    failedToolCount,
    filesChanged: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MOST_FILES),
    cost: usage.read().cost,
  };
}

/** How long agents waited for a person, by what is asked for. Days are those of this machine's time zone. */
export function askWaits(
  book: SessionBook,
  rows: AskRows,
  asked: { readonly since?: string | undefined; readonly by: "day" | "project" | "session" },
  nowIso: string,
): WaitTotals {
  const since = asked.since ?? new Date(Date.parse(nowIso) - 30 * 24 * 3_600_000).toISOString();
  const totals = new Map<string, { key: string; count: number; totalMs: number; longestMs: number }>();
  for (const wait of waitsSince(book, rows, since)) {
    const key = keyOf(wait, asked.by);
    const ms = lengthMs(wait, since, nowIso);
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

/** What was used, and how long was waited. Without a time: in the last 30 days. */
export async function askUsed(
  book: SessionBook,
  rows: AskRows,
  asked: { readonly since?: string | undefined; readonly by: "model" | "project" },
  nowIso: string,
): Promise<UsageAnswer> {
  const sinceIso = asked.since ?? new Date(Date.parse(nowIso) - 30 * 24 * 3_600_000).toISOString();
  const waits = waitsSince(book, rows, sinceIso).map((wait) => ({
    wait,
    ms: lengthMs(wait, sinceIso, nowIso),
  }));
  return askUsage(rows, { prices: book.prices, sinceIso, nowIso, by: asked.by, waits });
}

/** Saved ones, and of watched sessions what is known now; those of one session that overlap are one. */
function waitsSince(book: SessionBook, rows: AskRows, sinceIso: string): WaitRow[] {
  const watched = new Set(book.ids());
  const saved = rows((store) => store.waitsSince(sinceIso)).filter(
    ({ sessionId }) => !watched.has(sessionId),
  );
  const now = book.snapshots().flatMap((snapshot) => waitsOf(book, snapshot, sinceIso));
  const bySession = Map.groupBy(mine([...saved, ...now]), ({ sessionId }) => sessionId);
  return [...bySession.values()].flatMap(mergeWaits);
}

function waitsOf(book: SessionBook, snapshot: SessionSnapshot, sinceIso: string): readonly WaitRow[] {
  if (snapshot.humanWaitMs === 0 && snapshot.waiting === null) return [];
  const view = book.view(snapshot.sessionId);
  if (view === undefined) return [];
  return toRow(snapshot, view).waits.filter(
    ({ endedAtIso }) => endedAtIso === null || endedAtIso >= sinceIso,
  );
}

function lengthMs(wait: WaitRow, sinceIso: string, nowIso: string): number {
  const from = wait.startedAtIso > sinceIso ? wait.startedAtIso : sinceIso;
  return Math.max(0, Date.parse(wait.endedAtIso ?? nowIso) - Date.parse(from));
}

function keyOf(wait: WaitRow, by: "day" | "project" | "session"): string {
  if (by === "session") return wait.sessionId;
  if (by === "project") return wait.projectPath ?? "";
  return localDay(new Date(wait.startedAtIso));
}
