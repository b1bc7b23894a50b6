import type { Card } from "../../control/control-contract.ts";
import { type Limits, NO_LIMITS } from "../../monitor/limits.ts";
import type { AwayReport, SessionSnapshot } from "../../serve/contract.ts";

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
  readonly today: AwayReport["cost"] | null;
  readonly limits: Limits;
  readonly lagMs: number | null;
}

export const NO_DATA: TopData = {
  source: { type: "connecting" },
  sessions: new Map(),
  cards: [],
  today: null,
  limits: NO_LIMITS,
  lagMs: null,
};

/** The request of a session that can be answered from here: the one it shows, else its first. */
export function cardOf({ cards }: TopData, session: SessionSnapshot | undefined): Card | undefined {
  if (session === undefined) return undefined;
  const own = cards.filter(({ sessionId }) => sessionId === session.sessionId);
  const asked = session.waiting?.toolUseId ?? null;
  return own.find(({ toolUseId }) => asked !== null && toolUseId === asked) ?? own[0];
}
