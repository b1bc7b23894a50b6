import { lastTurnEnd, openTurn, runningProcess } from "./read-turns.ts";
import type { ProcessView, SessionView, StatusView, TurnView } from "./session-view.ts";

export interface Moment {
  readonly nowMs: number;
  /** Time since the last event of the session, by a monotonic clock. */
  readonly quietMs: number;
}

/** Values shared by several reads of a session, computed once. */
export interface Reading {
  readonly view: SessionView;
  readonly moment: Moment;
  readonly runningProcess: ProcessView | null;
  /** The main agent's current turn. */
  readonly turn: TurnView | null;
  readonly end: TurnView["end"];
  readonly status: StatusView | null;
}

export function readView(view: SessionView, moment: Moment): Reading {
  let status: StatusView | null = null;
  for (const candidate of view.statuses.values())
    if (status === null || candidate.at > status.at) status = candidate;
  return {
    view,
    moment,
    runningProcess: runningProcess(view),
    turn: openTurn(view),
    end: lastTurnEnd(view),
    status,
  };
}
