import type { SessionSnapshot } from "../../serve/contract.ts";
import { oneLine } from "../../shown/plain-text.ts";
import { activityText, projectLabel } from "../session-activity.ts";
import { sortSessions, stateBadge } from "../state-badge.ts";
import type { TopData } from "./top-data.ts";

export const SORTS = ["attention", "age", "cost", "context", "project"] as const;
export type Sort = (typeof SORTS)[number];

export type Screen =
  | { readonly type: "list" }
  | { readonly type: "help" }
  /** `requestId`: the request shown in full, above the other details of the session. */
  | {
      readonly type: "detail";
      readonly sessionId: string;
      readonly requestId: string | null;
      readonly lines: readonly string[] | null;
      readonly from: number;
    }
  /** Its newest events as they arrive, scrolled back by `back` lines. */
  | {
      readonly type: "tail";
      readonly sessionId: string;
      readonly lines: readonly string[] | null;
      readonly back: number;
    }
  /** A line is being typed; `requestId`: the request it answers, whatever else arrives meanwhile. */
  | {
      readonly type: "typing";
      readonly what: "filter" | "deny" | "reply";
      readonly text: string;
      readonly requestId: string | null;
    };

/** The request of the selected session that keys answer, until it ends or the user chooses another. */
export interface CurrentRequest {
  readonly sessionId: string;
  readonly requestId: string;
  readonly key: string;
  /** When it ended; another replaces it only after a while. */
  readonly endedMs: number | null;
}

/** What the user has chosen to see. */
export interface TopView {
  readonly screen: Screen;
  /** By id: rows move, but the selection stays on its session. */
  readonly selected: string | null;
  readonly current: CurrentRequest | null;
  readonly filter: string;
  readonly sort: Sort;
  /** Groups sessions by project. */
  readonly isGrouped: boolean;
  readonly note: string | null;
}

export const INITIAL_VIEW: TopView = {
  screen: { type: "list" },
  selected: null,
  current: null,
  filter: "",
  sort: "attention",
  isGrouped: false,
  note: null,
};

/** The outcome of an action triggered by a key. */
export type ActionOutcome =
  | { readonly type: "note"; readonly note: string }
  | { readonly type: "detail"; readonly lines: readonly string[] }
  | { readonly type: "tail"; readonly sessionId: string; readonly lines: readonly string[] };

export function applyOutcome(view: TopView, outcome: ActionOutcome): TopView {
  const { screen } = view;
  if (outcome.type === "note")
    return { ...view, note: outcome.note, screen: screen.type === "typing" ? screen : { type: "list" } };
  if (outcome.type === "tail")
    return screen.type === "tail" && screen.sessionId === outcome.sessionId
      ? { ...view, screen: { ...screen, lines: outcome.lines } }
      : view;
  // Ignored if the user has left the screen in the meantime.
  return screen.type === "detail" ? { ...view, screen: { ...screen, lines: outcome.lines } } : view;
}

/** The rows of the list, in order. */
export function listRows({ sessions }: TopData, view: TopView, now: number): SessionSnapshot[] {
  const { filter, sort, isGrouped } = view;
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (session: SessionSnapshot): boolean => {
    if (words.length === 0) return true;
    const fields = [
      stateBadge(session).label,
      projectLabel(session),
      activityText(session, now),
      session.title ?? "",
    ];
    const text = oneLine(fields.join(" ")).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const rows = sortSessions([...sessions.values()].filter(matches));
  const comparator = SORT_COMPARATORS[sort];
  const sorted = comparator === null ? rows : rows.sort((a, b) => comparator(a, b));
  // A project is placed where its first session would be.
  return isGrouped ? [...Map.groupBy(sorted, projectName).values()].flat() : sorted;
}

export function projectName(session: SessionSnapshot): string {
  return projectLabel(session).split(" ▸ ")[0] ?? "";
}

const SORT_COMPARATORS: Readonly<Record<Sort, ((a: SessionSnapshot, b: SessionSnapshot) => number) | null>> =
  {
    attention: null,
    age: (a, b) => Date.parse(a.sinceIso) - Date.parse(b.sinceIso),
    cost: (a, b) => (b.cost.micros ?? -1) - (a.cost.micros ?? -1),
    context: (a, b) => (b.contextTokens ?? -1) - (a.contextTokens ?? -1),
    project: (a, b) => projectLabel(a).localeCompare(projectLabel(b)),
  };

/** The selected row; else the one whose request is shown, so that no other displaces it; else the first. */
export function selectedSession(
  rows: readonly SessionSnapshot[],
  view: TopView,
): SessionSnapshot | undefined {
  const findRow = (id: string | undefined | null) => rows.find(({ sessionId }) => sessionId === id);
  return findRow(view.selected) ?? findRow(view.current?.sessionId) ?? rows[0];
}
