import { Card } from "../control/control-contract.ts";
import type { Home } from "../home.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { askControl, listCards } from "./ask-control.ts";
import { findSessions } from "./find-sessions.ts";
import { note } from "./output.ts";
import { toRequests, type WaitingRequest } from "./waiting-requests.ts";

const WAITING = { words: null, needsPerson: true, project: null, all: false } as const;

export interface Waits {
  readonly requests: readonly WaitingRequest[];
  /** Sessions that need a person for something else, such as a failed turn. */
  readonly others: readonly SessionSnapshot[];
}

/** Everything that waits for a person now: what can be answered here, and what only a terminal can answer. */
export async function readWaits(home: Home): Promise<Waits> {
  const { cards } = await listCards(home);
  const sessions = await waitingSessions(home);
  const requests = await withoutSettled(home, toRequests(cards, sessions));
  return { requests, others: sessions.filter((session) => session.requests.length === 0) };
}

/** The requests of one session, which is known already. */
export async function requestsOf(home: Home, session: SessionSnapshot): Promise<readonly WaitingRequest[]> {
  const { cards } = await listCards(home, session.sessionId);
  return withoutSettled(home, toRequests(cards, [session]));
}

async function waitingSessions(home: Home): Promise<SessionSnapshot[]> {
  const found: SessionSnapshot[] = [];
  try {
    for await (const page of findSessions(home, WAITING, Date.now())) found.push(...page);
  } catch (error) {
    note(`Only requests that can be answered here are listed: ${(error as Error).message}`);
  }
  return found;
}

/** A request that was just settled may still be in its session's record for a moment. */
async function withoutSettled(
  home: Home,
  requests: readonly WaitingRequest[],
): Promise<readonly WaitingRequest[]> {
  const waits = await Promise.all(
    requests.map(async ({ id, card }) => {
      if (card !== null) return true;
      const known = await askControl(home, Card, `/cards/${encodeURIComponent(id)}`).catch(() => null);
      return known?.status !== "settled";
    }),
  );
  return requests.filter((_, at) => waits[at]);
}
