import type { Pause } from "../../capture/pauses.ts";
import type { Card } from "../../control/control-contract.ts";
import { type Limits, NO_LIMITS } from "../../monitor/limits.ts";
import type { AwayReport, SessionSnapshot } from "../../serve/contract.ts";
import {
  type EqualRequests,
  groupEqual,
  toWaitingRequests,
  type WaitingRequest,
} from "../waiting-requests.ts";

/** The source of the data, which determines how current it is. */
export type DataSource =
  | { readonly type: "connecting" }
  | { readonly type: "live" }
  /** The daemon answered before, and no longer does. */
  | { readonly type: "away"; readonly sinceMs: number }
  /** No daemon: as the last one left it. */
  | { readonly type: "database" }
  /** No daemon, and no data from an earlier one. */
  | { readonly type: "nothing"; readonly why: string };

/** All data that `top` shows. */
export interface TopData {
  readonly source: DataSource;
  readonly sessions: ReadonlyMap<string, SessionSnapshot>;
  readonly cards: readonly Card[];
  /** Requests whose card has disappeared, with the time. */
  readonly settled: ReadonlyMap<string, number>;
  readonly today: AwayReport["cost"] | null;
  readonly limits: Limits;
  readonly lagMs: number | null;
  /** While active, not everything is recorded. */
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

/** How long a settled request may still be in its session's record. */
const SETTLING_MS = 5_000;

/** A session's requests, oldest first, joined by id, without those settled a moment ago. */
export function requestGroups(
  { cards, sessions, settled }: TopData,
  sessionId: string,
  now: number,
): readonly EqualRequests[] {
  const session = sessions.get(sessionId);
  const sessionCards = cards.filter((card) => card.sessionId === sessionId);
  const isSettled = ({ id, card }: WaitingRequest): boolean =>
    card === null && now - (settled.get(id) ?? 0) < SETTLING_MS;
  const requests = toWaitingRequests(sessionCards, session === undefined ? [] : [session]);
  return groupEqual(requests.filter((request) => !isSettled(request)));
}
