import { setTimeout } from "node:timers/promises";
import { askDaemon } from "../../client/ask-daemon.ts";
import { type Card, CardList } from "../../control/control-contract.ts";
import type { Home } from "../../home.ts";
import { readLimits } from "../../monitor/limits.ts";
import { AwayReport, DaemonStatus } from "../../serve/contract.ts";
import { applyMessage, followStream } from "../follow-stream.ts";
import { localMidnight } from "../status-line.ts";
import { readDatabase } from "./read-database.ts";
import { NO_DATA, type Source, type TopData } from "./top-data.ts";

const ASK_MS = 3_000;
const ASIDE_MS = 10_000;
/** So long the first screen waits for the cards. */
const FIRST_CARDS_MS = 500;
const MAX_SETTLED = 500;

/** Tells of every change until the signal; without a daemon what the last one left, and waits for the next. */
export async function followData(
  home: Home,
  signal: AbortSignal,
  onData: (data: TopData) => void,
): Promise<void> {
  let data: TopData = { ...NO_DATA, limits: readLimits(home, Date.now()) };
  const tell = (change: Partial<TopData>): void => {
    data = { ...data, ...change };
    if (!signal.aborted) onData(data);
  };
  let asked = 0;
  const askCards = async (): Promise<void> => {
    asked += 1;
    const mine = asked;
    const list = await askCardList(home, signal);
    if (list !== null && mine === asked) tell(withCards(data, list.cards, Date.now()));
  };
  const askAside = async (): Promise<void> => {
    if (data.source.type === "live") tell(await aside(home, signal));
  };
  const timer = setInterval(() => void askAside().then(askCards), ASIDE_MS);
  try {
    for await (const message of followStream(home.sock, { signal })) {
      if (message.type === "gap") continue;
      if (message.type === "down") {
        if (data.source.type === "connecting") tell(await fromDatabase(home, Date.now()));
        else if (data.source.type === "live")
          tell({ source: { type: "away", sinceMs: Date.now() }, cards: [], settled: new Map(), lagMs: null });
        continue;
      }
      const wasLive = data.source.type === "live";
      const sessions = applyMessage(data.sessions, message);
      // With its cards from the first moment: a request without one looks as if only its terminal could answer.
      if (!wasLive) await Promise.race([askCards(), setTimeout(FIRST_CARDS_MS)]);
      tell({ source: { type: "live" }, sessions });
      if (!wasLive) void askAside();
      else if (message.type === "reset" || message.type === "cards") void askCards();
    }
  } finally {
    clearInterval(timer);
  }
}

/** Pure. A card that is gone was settled, whatever its session's record still says. */
function withCards(
  { cards: before, settled }: TopData,
  cards: readonly Card[],
  now: number,
): Pick<TopData, "cards" | "settled"> {
  const known = new Set(cards.map(({ id }) => id));
  const gone = before.filter(({ id }) => !known.has(id)).map(({ id }) => [id, now] as const);
  return { cards, settled: new Map([...[...settled].slice(-MAX_SETTLED), ...gone]) };
}

/** One look: from the daemon, else from the database. */
export async function readData(home: Home, now: number): Promise<TopData> {
  const stop = new AbortController();
  const limits = readLimits(home, now);
  for await (const message of followStream(home.sock, { signal: stop.signal })) {
    if (message.type === "gap") continue;
    stop.abort();
    if (message.type === "down") return { ...NO_DATA, limits, ...(await fromDatabase(home, now)) };
    const { cards } = (await askCardList(home)) ?? { cards: [] };
    const sessions = applyMessage(new Map(), message);
    return { ...NO_DATA, source: { type: "live" }, sessions, cards, ...(await aside(home)) };
  }
  return { ...NO_DATA, limits, ...(await fromDatabase(home, now)) };
}

async function fromDatabase(
  home: Home,
  now: number,
): Promise<{ source: Source; sessions: TopData["sessions"] }> {
  try {
    const sessions = await readDatabase(home, now);
    return {
      source: { type: "database" },
      sessions: new Map(sessions.map((session) => [session.sessionId, session])),
    };
  } catch (error) {
    return { source: { type: "nothing", why: (error as Error).message }, sessions: new Map() };
  }
}

/** What the stream does not tell. */
async function aside(
  home: Home,
  signal?: AbortSignal,
): Promise<Pick<TopData, "today" | "limits" | "lagMs" | "pauses">> {
  const now = Date.now();
  const since = new URLSearchParams({ since: localMidnight(now) });
  const [report, status] = await Promise.all([
    askDaemon(home, AwayReport, `/api/away?${since}`, { timeoutMs: ASK_MS, signal }).catch(() => null),
    askDaemon(home, DaemonStatus, "/api/status", { timeoutMs: ASK_MS, signal }).catch(() => null),
  ]);
  return {
    today: report?.cost ?? null,
    limits: readLimits(home, now),
    lagMs: status?.lagMs ?? null,
    pauses: status?.pauses ?? [],
  };
}

function askCardList(home: Home, signal?: AbortSignal) {
  return askDaemon(home, CardList, "/api/control/cards", { timeoutMs: ASK_MS, signal }).catch(() => null);
}
