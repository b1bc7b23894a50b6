import { setTimeout } from "node:timers/promises";
import { askDaemon } from "../../client/ask-daemon.ts";
import { type Card, CardList } from "../../control/control-contract.ts";
import type { Home } from "../../home.ts";
import { readLimits } from "../../monitor/limits.ts";
import { AwayReport, DaemonStatus } from "../../serve/contract.ts";
import { applyStreamMessage, followStream } from "../follow-stream.ts";
import { localMidnight } from "../status-line.ts";
import { readStoredSessions } from "./read-stored-sessions.ts";
import { type DataSource, NO_DATA, type TopData } from "./top-data.ts";

const REQUEST_TIMEOUT_MS = 3_000;
const SIDE_DATA_INTERVAL_MS = 10_000;
/** How long the first screen waits for the cards. */
const FIRST_CARDS_TIMEOUT_MS = 500;
const MAX_SETTLED_CARDS = 500;

/** Publishes every change until the signal aborts; without a daemon, the stored data until the next one starts. */
export async function followTopData(
  home: Home,
  signal: AbortSignal,
  onData: (data: TopData) => void,
): Promise<void> {
  let data: TopData = { ...NO_DATA, limits: readLimits(home, Date.now()) };
  const publish = (change: Partial<TopData>): void => {
    data = { ...data, ...change };
    if (!signal.aborted) onData(data);
  };
  let requestCount = 0;
  const refreshCards = async (): Promise<void> => {
    requestCount += 1;
    const ownRequest = requestCount;
    const list = await askCardList(home, signal);
    if (list !== null && ownRequest === requestCount) publish(withCards(data, list.cards, Date.now()));
  };
  const refreshSideData = async (): Promise<void> => {
    if (data.source.type === "live") publish(await readSideData(home, signal));
  };
  const timer = setInterval(() => void refreshSideData().then(refreshCards), SIDE_DATA_INTERVAL_MS);
  try {
    for await (const message of followStream(home.sock, { signal })) {
      if (message.type === "gap") continue;
      if (message.type === "down") {
        if (data.source.type === "connecting") publish(await fromDatabase(home, Date.now()));
        else if (data.source.type === "live")
          publish({
            source: { type: "away", sinceMs: Date.now() },
            cards: [],
            settled: new Map(),
            lagMs: null,
          });
        continue;
      }
      const wasLive = data.source.type === "live";
      const sessions = applyStreamMessage(data.sessions, message);
      // Include cards from the start: a request without one looks as if only its terminal could answer.
      if (!wasLive) await Promise.race([refreshCards(), setTimeout(FIRST_CARDS_TIMEOUT_MS)]);
      publish({ source: { type: "live" }, sessions });
      if (!wasLive) void refreshSideData();
      else if (message.type === "reset" || message.type === "cards") void refreshCards();
    }
  } finally {
    clearInterval(timer);
  }
}

/** Pure. A missing card was settled, whatever its session's record still says. */
function withCards(
  { cards: previous, settled }: TopData,
  cards: readonly Card[],
  now: number,
): Pick<TopData, "cards" | "settled"> {
  const known = new Set(cards.map(({ id }) => id));
  const newlySettled = previous.filter(({ id }) => !known.has(id)).map(({ id }) => [id, now] as const);
  return { cards, settled: new Map([...[...settled].slice(-MAX_SETTLED_CARDS), ...newlySettled]) };
}

/** Reads once: from the daemon, or else from the database. */
export async function readTopData(home: Home, now: number): Promise<TopData> {
  const stop = new AbortController();
  const limits = readLimits(home, now);
  for await (const message of followStream(home.sock, { signal: stop.signal })) {
    if (message.type === "gap") continue;
    stop.abort();
    if (message.type === "down") return { ...NO_DATA, limits, ...(await fromDatabase(home, now)) };
    const { cards } = (await askCardList(home)) ?? { cards: [] };
    const sessions = applyStreamMessage(new Map(), message);
    return { ...NO_DATA, source: { type: "live" }, sessions, cards, ...(await readSideData(home)) };
  }
  return { ...NO_DATA, limits, ...(await fromDatabase(home, now)) };
}

async function fromDatabase(
  home: Home,
  now: number,
): Promise<{ source: DataSource; sessions: TopData["sessions"] }> {
  try {
    const sessions = await readStoredSessions(home, now);
    return {
      source: { type: "database" },
      sessions: new Map(sessions.map((session) => [session.sessionId, session])),
    };
  } catch (error) {
    return { source: { type: "nothing", why: (error as Error).message }, sessions: new Map() };
  }
}

/** Data that is not in the stream. */
async function readSideData(
  home: Home,
  signal?: AbortSignal,
): Promise<Pick<TopData, "today" | "limits" | "lagMs" | "pauses">> {
  const now = Date.now();
  const since = new URLSearchParams({ since: localMidnight(now) });
  const [report, status] = await Promise.all([
    askDaemon(home, AwayReport, `/api/away?${since}`, { timeoutMs: REQUEST_TIMEOUT_MS, signal }).catch(
      () => null,
    ),
    askDaemon(home, DaemonStatus, "/api/status", { timeoutMs: REQUEST_TIMEOUT_MS, signal }).catch(() => null),
  ]);
  return {
    today: report?.cost ?? null,
    limits: readLimits(home, now),
    lagMs: status?.lagMs ?? null,
    pauses: status?.pauses ?? [],
  };
}

function askCardList(home: Home, signal?: AbortSignal) {
  return askDaemon(home, CardList, "/api/control/cards", { timeoutMs: REQUEST_TIMEOUT_MS, signal }).catch(
    () => null,
  );
}
