import { Card } from "../control/control-contract.ts";
import type { Home } from "../home.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { askControl, listCards } from "./control-client.ts";
import { findSessions } from "./find-sessions.ts";
import { note } from "./output.ts";
import { toWaitingRequests, type WaitingRequest } from "./waiting-requests.ts";

const WAITING_FILTER = { labels: null, needsPerson: true, project: null, all: false } as const;

export interface Waits {
  readonly requests: readonly WaitingRequest[];
  /** Sessions that need a person for another reason, such as a failed turn. */
  readonly others: readonly SessionSnapshot[];
}

/** Everything that waits for a person: answerable here, or only in a terminal. */
export async function readWaits(home: Home): Promise<Waits> {
  const { cards } = await listCards(home);
  const sessions = await waitingSessions(home);
  const requests = await withoutSettled(home, toWaitingRequests(cards, sessions));
  return { requests, others: sessions.filter((session) => session.requests.length === 0) };
}

/** The requests of one known session. */
export async function readSessionRequests(
  home: Home,
  session: SessionSnapshot,
): Promise<readonly WaitingRequest[]> {
  const { cards } = await listCards(home, session.sessionId);
  return withoutSettled(home, toWaitingRequests(cards, [session]));
}

async function waitingSessions(home: Home): Promise<SessionSnapshot[]> {
  const found: SessionSnapshot[] = [];
  try {
    for await (const page of findSessions(home, WAITING_FILTER, Date.now())) found.push(...page);
  } catch (error) {
    note(`Showing only requests that can be answered here: ${(error as Error).message}`);
  }
  return found;
}

/** A request that was just settled may still be in its session's record for a moment. */
async function withoutSettled(
  home: Home,
  requests: readonly WaitingRequest[],
): Promise<readonly WaitingRequest[]> {
  const isWaiting = await Promise.all(
    requests.map(async ({ id, card }) => {
      if (card !== null) return true;
      const known = await askControl(home, Card, `/cards/${encodeURIComponent(id)}`).catch(() => null);
      return known?.status !== "settled";
    }),
  );
  return requests.filter((_, index) => isWaiting[index]);
}
