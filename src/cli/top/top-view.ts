import type { SessionSnapshot } from "../../serve/contract.ts";
import { oneLine } from "../../shown/plain-text.ts";
import { doingOf, placeOf } from "../session-doing.ts";
import { faceOf, inOrder } from "../session-face.ts";
import type { TopData } from "./top-data.ts";

export const SORTS = ["attention", "age", "cost", "context", "project"] as const;
export type Sort = (typeof SORTS)[number];

export type Screen =
  | { readonly type: "list" }
  | { readonly type: "help" }
  /** `requestId`: the request that it shows whole, above what else is known of the session. */
  | {
      readonly type: "detail";
      readonly sessionId: string;
      readonly requestId: string | null;
      readonly lines: readonly string[] | null;
      readonly from: number;
    }
  /** Its newest events as they come; `back` lines before the last. */
  | {
      readonly type: "tail";
      readonly sessionId: string;
      readonly lines: readonly string[] | null;
      readonly back: number;
    }
  /** A line is being typed; `requestId`: the request that it answers, whatever else comes meanwhile. */
  | {
      readonly type: "typing";
      readonly what: "filter" | "deny" | "reply";
      readonly text: string;
      readonly requestId: string | null;
    };

/** The request of the chosen session that keys answer. It stays until it ends or a person chooses another. */
export interface Current {
  readonly sessionId: string;
  readonly requestId: string;
  readonly key: string;
  /** Since when it is over; another takes its place only a while after. */
  readonly endedMs: number | null;
}

/** What a person has chosen to see. */
export interface TopView {
  readonly screen: Screen;
  /** By its id: rows move, what is chosen does not change with them. */
  readonly selected: string | null;
  readonly current: Current | null;
  readonly filter: string;
  readonly sort: Sort;
  /** Sessions of one project together. */
  readonly isGrouped: boolean;
  readonly note: string | null;
}

export const FIRST_VIEW: TopView = {
  screen: { type: "list" },
  selected: null,
  current: null,
  filter: "",
  sort: "attention",
  isGrouped: false,
  note: null,
};

/** How something that a key asked for went. */
export type Outcome =
  | { readonly type: "said"; readonly note: string }
  | { readonly type: "detail"; readonly lines: readonly string[] }
  | { readonly type: "tail"; readonly sessionId: string; readonly lines: readonly string[] };

export function applyOutcome(view: TopView, outcome: Outcome): TopView {
  const { screen } = view;
  if (outcome.type === "said")
    return { ...view, note: outcome.note, screen: screen.type === "typing" ? screen : { type: "list" } };
  if (outcome.type === "tail")
    return screen.type === "tail" && screen.sessionId === outcome.sessionId
      ? { ...view, screen: { ...screen, lines: outcome.lines } }
      : view;
  // Who has gone on meanwhile stays where he is.
  return screen.type === "detail" ? { ...view, screen: { ...screen, lines: outcome.lines } } : view;
}

/** The rows of the list, in their order. */
export function rowsOf({ sessions }: TopData, view: TopView, now: number): SessionSnapshot[] {
  const { filter, sort, isGrouped } = view;
  const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (session: SessionSnapshot): boolean => {
    if (wanted.length === 0) return true;
    const words = [faceOf(session).word, placeOf(session), doingOf(session, now), session.title ?? ""];
    const text = oneLine(words.join(" ")).toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const rows = inOrder([...sessions.values()].filter(fits));
  const by = KEYS[sort];
  const sorted = by === null ? rows : rows.sort((a, b) => by(a, b));
  // A project stands where the first of its sessions would.
  return isGrouped ? [...Map.groupBy(sorted, projectOf).values()].flat() : sorted;
}

export function projectOf(session: SessionSnapshot): string {
  return placeOf(session).split(" ▸ ")[0] ?? "";
}

const KEYS: Readonly<Record<Sort, ((a: SessionSnapshot, b: SessionSnapshot) => number) | null>> = {
  attention: null,
  age: (a, b) => Date.parse(a.sinceIso) - Date.parse(b.sinceIso),
  cost: (a, b) => (b.cost.micros ?? -1) - (a.cost.micros ?? -1),
  context: (a, b) => (b.contextTokens ?? -1) - (a.contextTokens ?? -1),
  project: (a, b) => placeOf(a).localeCompare(placeOf(b)),
};

/** The chosen row; else the one whose request is on the screen, which no other pushes away; else the first. */
export function selectedOf(rows: readonly SessionSnapshot[], view: TopView): SessionSnapshot | undefined {
  const of = (id: string | undefined | null) => rows.find(({ sessionId }) => sessionId === id);
  return of(view.selected) ?? of(view.current?.sessionId) ?? rows[0];
}
