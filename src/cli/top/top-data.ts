import type { Pause } from "../../capture/pauses.ts";
import type { Card } from "../../control/control-contract.ts";
import { type Limits, NO_LIMITS } from "../../monitor/limits.ts";
import type { AwayReport, SessionSnapshot } from "../../serve/contract.ts";
import { type EqualRequests, groupEqual, toRequests, type WaitingRequest } from "../waiting-requests.ts";

/** Where what is shown comes from, which is how true it is. */
export type Source =
  | { readonly type: "connecting" }
  | { readonly type: "live" }
  /** The daemon answered before, and no longer does. */
  | { readonly type: "away"; readonly sinceMs: number }
  /** No daemon: as the last one left it. */
  | { readonly type: "database" }
  /** No daemon, and nothing that one left. */
  | { readonly type: "nothing"; readonly why: string };

/** All that `top` shows of the world. */
export interface TopData {
  readonly source: Source;
  readonly sessions: ReadonlyMap<string, SessionSnapshot>;
  readonly cards: readonly Card[];
  /** Requests that had a card and have none any more, with when. */
  readonly settled: ReadonlyMap<string, number>;
  readonly today: AwayReport["cost"] | null;
  readonly limits: Limits;
  readonly lagMs: number | null;
  /** While they hold, not everything is recorded. */
  readonly pauses: readonly Pause[];
}

export const NO_DATA: TopData = {
  source: { type: "connecting" },
  sessions: new Map(),
  cards: [],
  settled: new Map(),
  today: null,
  limits: NO_LIMITS,
  lagMs: null,
  pauses: [],
};

/** So long a request that was settled may still be in its session's record. */
const SETTLING_MS = 5_000;

/** What a session asks, the oldest first; joined by id, and what was settled a moment ago is left out. */
export function groupsOf(
  { cards, sessions, settled }: TopData,
  sessionId: string,
  now: number,
): readonly EqualRequests[] {
  const session = sessions.get(sessionId);
  const own = cards.filter((card) => card.sessionId === sessionId);
  const isSettled = ({ id, card }: WaitingRequest): boolean =>
    card === null && now - (settled.get(id) ?? 0) < SETTLING_MS;
  const requests = toRequests(own, session === undefined ? [] : [session]);
  return groupEqual(requests.filter((request) => !isSettled(request)));
}
