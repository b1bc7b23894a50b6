import type { HookReply } from "../../agents/answer-format.ts";
import type { Card } from "../control-contract.ts";
import { inputInLog } from "./card-ends.ts";
import { type CardStamp, type TerminalRequest, toCard } from "./card-request.ts";

/** A request of a terminal session, from the moment its hook asks until it is settled. */
export interface HeldRequest {
  card: Card;
  readonly request: TerminalRequest;
  /** The input as events of the call have it. */
  readonly input: string;
  /** Runs while the request looks over. */
  readonly overTimer: OverTimer;
  /** Its hook has ended; whether this or an equal request was answered is not known yet. */
  isHookGone: boolean;
  /** Lets the hook go; nothing once it is gone. */
  release(reply: HookReply | null): void;
}

export interface OverTimer {
  /** Does nothing while it runs. */
  start(ms: number, act: () => void): void;
  stop(): void;
}

export function createHeldRequest(request: TerminalRequest, stamp: CardStamp): HeldRequest {
  return {
    card: toCard(request, stamp),
    request,
    input: inputInLog(request),
    overTimer: createOverTimer(),
    isHookGone: false,
    release: () => undefined,
  };
}

/** The request still waits, in its terminal alone. */
export function toReleased(card: Card): Card {
  return { ...card, status: "terminal", whyTerminal: "released", untilIso: null };
}

/** Whether nobody can tell which of the two an event is about. */
export function isEqual(one: HeldRequest, other: HeldRequest): boolean {
  return (
    one.card.sessionId === other.card.sessionId &&
    one.card.agentId === other.card.agentId &&
    one.card.toolName === other.card.toolName &&
    one.input === other.input
  );
}

function createOverTimer(): OverTimer {
  let timer: NodeJS.Timeout | undefined;
  return {
    start(ms, act) {
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, ms);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
