import type { CardAnswer } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import type { EqualRequests, WaitingRequest } from "../waiting-requests.ts";
import type { TopView } from "./top-view.ts";

export interface Key {
  readonly name:
    | "char"
    | "up"
    | "down"
    | "pageUp"
    | "pageDown"
    | "home"
    | "end"
    | "next"
    | "previous"
    | "enter"
    | "escape"
    | "backspace"
    | "interrupt";
  readonly text: string;
  /** It arrived together with other characters. */
  readonly isPasted?: boolean;
}

/** A side effect of a key, besides changing the view. */
export type TopAction =
  | { readonly type: "quit" }
  /** Answers the request as it was drawn. */
  | { readonly type: "answer"; readonly request: WaitingRequest; readonly answer: CardAnswer }
  | { readonly type: "again"; readonly request: WaitingRequest }
  | { readonly type: "jump"; readonly session: SessionSnapshot }
  /** Shows the session without its requests, which are drawn separately. */
  | { readonly type: "detail"; readonly session: SessionSnapshot }
  | { readonly type: "tail"; readonly session: SessionSnapshot };

export interface KeyResult {
  readonly view: TopView;
  readonly action: TopAction | null;
}

/** What is on the screen when the key is pressed. */
export interface ShownScreen {
  readonly rows: readonly SessionSnapshot[];
  /** The requests of the selected session. */
  readonly groups: readonly EqualRequests[];
  readonly drawn: DrawnRequest | null;
  readonly page: number;
  /** The last line at which a scrolling screen can start. */
  readonly maxFrom: number;
  /** The first start line at which the end of the shown request is visible. */
  readonly endFrom: number;
}

/** The request on the screen that can be answered. */
export interface DrawnRequest {
  readonly request: WaitingRequest;
  /** Whether any of its text is visible: it may be scrolled away, or the window may have become smaller. */
  readonly isDrawn: boolean;
  /** Whether the end of its text has been visible: what could not be read cannot be allowed. */
  readonly isEndSeen: boolean;
  /** How long it has been visible: a key pressed as it appears was intended for something else. */
  readonly forMs: number;
}

export type ScreenOf<T extends TopView["screen"]["type"]> = TopView["screen"] & { readonly type: T };

export function noAction(view: TopView): KeyResult {
  return { view, action: null };
}
