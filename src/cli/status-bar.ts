import { setTimeout } from "node:timers/promises";
import type { StatusLineSource } from "../agents/status-line-source.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import type { Home } from "../home.ts";
import { NO_LIMITS, readLimits, saveLimits } from "../monitor/limits.ts";
import { AwayReport, type SessionSnapshot, SessionsPage } from "../serve/contract.ts";
import { ENDED_VISIBLE_MS } from "../shown/session-groups.ts";
import { agentStatusLine } from "./agent-status-line.ts";
import { print } from "./output.ts";
import { localMidnight, statusLine } from "./status-line.ts";

const DAEMON_TIMEOUT_MS = 400;
const STDIN_TIMEOUT_MS = 400;
const MAX_INPUT_CHARS = 1024 * 1024;

/**
 * Drawn in the user's terminal at every turn: it ends quickly and never fails, whatever is broken. `source`:
 * for an agent's status line, which pipes in its data.
 */
export async function drawStatusBar(home: Home, source: StatusLineSource | null): Promise<void> {
  const now = Date.now();
  const line = await (source === null ? plainLine(home, now) : agentLine(home, source, now)).catch(() => "");
  if (line !== "") print(line);
}

async function plainLine(home: Home, now: number): Promise<string> {
  const since = new URLSearchParams({ since: localMidnight(now) });
  const [sessions, report] = await Promise.all([
    countedSessions(home, now),
    askDaemon(home, AwayReport, `/api/away?${since}`, { timeoutMs: DAEMON_TIMEOUT_MS }).catch(() => null),
  ]);
  return sessions === null ? "" : statusLine(sessions, report?.cost ?? null, readLimits(home, now), now);
}

async function agentLine(home: Home, source: StatusLineSource, now: number): Promise<string> {
  const [text, sessions] = await Promise.all([readStdin(), openSessions(home)]);
  const input = source.read(text);
  return agentStatusLine(input, sessions ?? [], tryToSaveLimits(home, input?.limits ?? NO_LIMITS, now));
}

/** A home that is not writable must not prevent the line. */
function tryToSaveLimits(home: Home, limits: typeof NO_LIMITS, now: number): typeof NO_LIMITS {
  try {
    return saveLimits(home, limits, now);
  } catch {
    return limits;
  }
}

/** Running sessions, and those lost recently. */
async function countedSessions(home: Home, now: number): Promise<SessionSnapshot[] | null> {
  const since = new Date(now - ENDED_VISIBLE_MS).toISOString();
  const [open, lost] = await Promise.all([openSessions(home), listSessions(home, { state: "lost", since })]);
  return open === null ? null : [...open, ...(lost ?? [])];
}

function openSessions(home: Home): Promise<SessionSnapshot[] | null> {
  return listSessions(home, { state: "active,idle" });
}

async function listSessions(
  home: Home,
  filter: Readonly<Record<string, string>>,
): Promise<SessionSnapshot[] | null> {
  const path = `/api/sessions?${new URLSearchParams({ ...filter, limit: "500" })}`;
  const page = await askDaemon(home, SessionsPage, path, { timeoutMs: DAEMON_TIMEOUT_MS }).catch(() => null);
  return page?.sessions ?? null;
}

/** The text that arrives before stdin ends or the time limit. */
async function readStdin(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return "";
  let text = "";
  const reading = (async () => {
    for await (const chunk of stdin.setEncoding("utf8")) {
      text += chunk;
      if (text.length > MAX_INPUT_CHARS) return;
    }
  })();
  const timeout = new AbortController();
  await Promise.race([
    reading.catch(() => undefined),
    setTimeout(STDIN_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined),
  ]);
  timeout.abort();
  stdin.destroy();
  return text;
}
