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
  /** It came together with others. */
  readonly isPasted?: boolean;
}

/** What is to be done beside showing something else. */
export type Act =
  | { readonly type: "quit" }
  /** To the request as it was drawn. */
  | { readonly type: "answer"; readonly request: WaitingRequest; readonly answer: CardAnswer }
  | { readonly type: "again"; readonly request: WaitingRequest }
  | { readonly type: "jump"; readonly session: SessionSnapshot }
  /** Without its requests, which are drawn for themselves. */
  | { readonly type: "detail"; readonly session: SessionSnapshot }
  | { readonly type: "tail"; readonly session: SessionSnapshot };

export interface Pressed {
  readonly view: TopView;
  readonly act: Act | null;
}

/** What stands on the screen when the key is pressed. */
export interface Shown {
  readonly rows: readonly SessionSnapshot[];
  /** What the chosen session asks. */
  readonly groups: readonly EqualRequests[];
  readonly drawn: DrawnRequest | null;
  readonly page: number;
  /** The last line that a screen which scrolls can begin with. */
  readonly maxFrom: number;
  /** The first with which the end of the request that it shows is on it. */
  readonly endFrom: number;
}

/** The request that stands there to be answered. */
export interface DrawnRequest {
  readonly request: WaitingRequest;
  /** Whether any of its text is on the screen now: it may have been scrolled away, or the window made smaller. */
  readonly isDrawn: boolean;
  /** Whether the end of its text has been on the screen: nobody allows what they could not read. */
  readonly isEndSeen: boolean;
  /** How long it has been there: a key at the moment it appears was meant for something else. */
  readonly forMs: number;
}

export type ScreenOf<T extends TopView["screen"]["type"]> = TopView["screen"] & { readonly type: T };

export function stay(view: TopView): Pressed {
  return { view, act: null };
}
