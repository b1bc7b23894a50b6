import { isRefused } from "../agents/refused-call.ts";
import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { isSampleSession } from "../event/sample.ts";
import type { AskSessionRows, FactPlace, WaitRow } from "../store/session-rows.ts";
import { askSessions, type SessionsAsked } from "./ask-sessions.ts";
import { askUsage } from "./ask-usage.ts";
import { isEmptySession } from "./empty-session.ts";
import type { SessionKeeper } from "./keep-sessions.ts";
import { localDay } from "./local-day.ts";
import { mergeWaits } from "./merge-waits.ts";
import { changedFile } from "./read-detail.ts";
import type { SessionBook } from "./session-book.ts";
import type { AwayReport, WaitTotals } from "./session-detail.ts";
import { toRow } from "./session-rows.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { createUsage } from "./usage.ts";
import type { UsageAnswer } from "./usage-tallies.ts";

type Sessions = Pick<SessionKeeper, "book" | "wake" | "emit">;

const MOST_SESSIONS = 500;
const MOST_FAILURES = 100;
const MOST_FILES = 500;
const FACTS_AT_ONCE = 1_000;

/** What happened between a time and now. Shows nothing of a watched session that was not reported as a change. */
export async function askAway(
  { book, wake, emit }: Sessions,
  rows: AskSessionRows,
  sinceIso: string,
  untilIso: string,
): Promise<AwayReport> {
  const ask = async (asked: Partial<SessionsAsked>): Promise<SessionSnapshot[]> => [
    ...mine((await askSessions(book, rows, { ...asked, limit: MOST_SESSIONS }, emit)).sessions),
  ];
  const sessions = await ask({ since: sinceIso });
  const ended = sessions.filter(({ endedAtIso }) => endedAtIso !== null && endedAtIso >= sinceIso);
  const waiting = await ask({ needsPerson: true });
  const waits = await waitsSince({ book, wake }, rows, sinceIso);
  return {
    sinceIso,
    untilIso,
    needsPerson: waiting.toSorted((a, b) => (a.sinceIso < b.sinceIso ? -1 : 1)),
    finished: ended.filter((session) => session.state === "completed" && !isEmptySession(session)),
    lost: ended.filter(({ state }) => state === "lost"),
    ...(await readHappened(rows, book.prices, sinceIso)),
    humanWaitMs: waits.reduce((sum, wait) => sum + lengthMs(wait, sinceIso, untilIso), 0),
  };
}

/** Without the sample, which happened to nobody. */
function* mine<T extends { readonly sessionId: string }>(all: Iterable<T>): Generator<T> {
  for (const one of all) if (!isSampleSession(one.sessionId)) yield one;
}

/** In slices, each asked for on its own. */
async function eachSince(
  rows: AskSessionRows,
  sinceIso: string,
  type: string,
  read: (event: HooklineEvent) => void,
): Promise<void> {
  for (let after: FactPlace | null | undefined; after !== null; ) {
    const query = { sinceIso, type, after, limit: FACTS_AT_ONCE };
    const slice = await rows((store) => store.factsSince(query));
    for (const event of mine(slice.facts)) read(event);
    after = slice.next;
  }
}

async function readHappened(
  rows: AskSessionRows,
  prices: UsageSource,
  sinceIso: string,
): Promise<Pick<AwayReport, "failures" | "failedToolCount" | "filesChanged" | "cost">> {
  const failures: AwayReport["failures"] = [];
  await eachSince(rows, sinceIso, "turn.failed", (event) => {
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
  await eachSince(rows, sinceIso, "tool_observation", (event) => {
    if (event.payload?.success === false && !isRefused(event)) failedToolCount++;
    const path = changedFile(event);
    if (path === null) return;
    const file = files.get(path) ?? { projectPath: event.projectPath, path, count: 0 };
    files.set(path, { ...file, count: file.count + 1 });
  });
  const usage = createUsage(prices);
  await eachSince(rows, sinceIso, "assistant.message", usage.tell);
  return {
    failures: failures.slice(-MOST_FAILURES),
    failedToolCount,
    filesChanged: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MOST_FILES),
    cost: usage.read().cost,
  };
}

/** How long agents waited for a person, by what is asked for. Days are those of this machine's time zone. */
export async function askWaits(
  sessions: Omit<Sessions, "emit">,
  rows: AskSessionRows,
  asked: { readonly since?: string | undefined; readonly by: "day" | "project" | "session" },
  nowIso: string,
): Promise<WaitTotals> {
  const since = asked.since ?? new Date(Date.parse(nowIso) - 30 * 24 * 3_600_000).toISOString();
  const totals = new Map<string, { key: string; count: number; totalMs: number; longestMs: number }>();
  for (const wait of await waitsSince(sessions, rows, since)) {
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
  sessions: Omit<Sessions, "emit">,
  rows: AskSessionRows,
  asked: { readonly since?: string | undefined; readonly by: "model" | "project" },
  nowIso: string,
): Promise<UsageAnswer> {
  const sinceIso = asked.since ?? new Date(Date.parse(nowIso) - 30 * 24 * 3_600_000).toISOString();
  const found = await waitsSince(sessions, rows, sinceIso);
  const waits = found.map((wait) => ({ wait, ms: lengthMs(wait, sinceIso, nowIso) }));
  return askUsage(rows, { prices: sessions.book.prices, sinceIso, nowIso, by: asked.by, waits });
}

/** Saved ones, and of watched sessions what is known now; those of one session that overlap are one. */
async function waitsSince(
  { book, wake }: Omit<Sessions, "emit">,
  rows: AskSessionRows,
  sinceIso: string,
): Promise<WaitRow[]> {
  const saved = await rows((store) => store.waitsSince(sinceIso));
  return wake(
    () =>
      book
        .snapshots()
        .filter(hasWaited)
        .map(({ sessionId }) => sessionId),
    () => {
      const now = book.snapshots().flatMap((snapshot) => waitsOf(book, snapshot, sinceIso));
      const others = saved.filter(({ sessionId }) => !book.has(sessionId));
      const bySession = Map.groupBy(mine([...others, ...now]), ({ sessionId }) => sessionId);
      return [...bySession.values()].flatMap(mergeWaits);
    },
  );
}

function hasWaited({ humanWaitMs, waiting }: SessionSnapshot): boolean {
  return humanWaitMs > 0 || waiting !== null;
}

function waitsOf(book: SessionBook, snapshot: SessionSnapshot, sinceIso: string): readonly WaitRow[] {
  if (!hasWaited(snapshot)) return [];
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
