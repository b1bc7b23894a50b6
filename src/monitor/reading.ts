import { lastEnd, livingProcess, openTurn } from "./read-turns.ts";
import type { ProcessView, SessionView, StatusView, TurnView } from "./session-view.ts";

export interface Moment {
  readonly nowMs: number;
  /** How long nothing has been heard of the session, by a clock that nobody moves. */
  readonly quietMs: number;
}

/** What several answers about a session rest on, worked out once. */
export interface Reading {
  readonly view: SessionView;
  readonly moment: Moment;
  /** The process that runs it. */
  readonly living: ProcessView | null;
  /** What the main agent works on. */
  readonly turn: TurnView | null;
  readonly end: TurnView["end"];
  readonly status: StatusView | null;
}

export function readView(view: SessionView, moment: Moment): Reading {
  let status: StatusView | null = null;
  for (const one of view.statuses.values()) if (status === null || one.at > status.at) status = one;
  return { view, moment, living: livingProcess(view), turn: openTurn(view), end: lastEnd(view), status };
}
