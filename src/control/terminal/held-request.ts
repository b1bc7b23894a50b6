import type { HookReply } from "../../agents/answer-format.ts";
import type { Card } from "../control-contract.ts";
import { loggedInput } from "./same-call.ts";
import { type CardStamp, type TerminalRequest, toTerminalCard } from "./terminal-request.ts";

/** A request of a terminal session, from its hook's question until it is settled. */
export interface HeldRequest {
  card: Card;
  readonly request: TerminalRequest;
  /** The input as it appears in events of the call. */
  readonly input: string;
  /** Runs while the request seems to be over. */
  readonly settleTimer: SettleTimer;
  /** Its hook has ended; whether this or an equal request was answered is not known yet. */
  hasHookEnded: boolean;
  /** Releases the hook; no effect once it is gone. */
  release(reply: HookReply | null): void;
}

export interface SettleTimer {
  /** No effect while it runs. */
  start(ms: number, action: () => void): void;
  stop(): void;
}

export function createHeldRequest(request: TerminalRequest, stamp: CardStamp): HeldRequest {
  return {
    card: toTerminalCard(request, stamp),
    request,
    input: loggedInput(request),
    settleTimer: createSettleTimer(),
    hasHookEnded: false,
    release: () => undefined,
  };
}

/** Still pending, but only in its terminal. */
export function toReleasedCard(card: Card): Card {
  return { ...card, status: "terminal", whyTerminal: "released", untilIso: null };
}

/** Whether an event cannot tell the two apart. */
export function isSameRequest(first: HeldRequest, other: HeldRequest): boolean {
  return (
    first.card.sessionId === other.card.sessionId &&
    first.card.agentId === other.card.agentId &&
    first.card.toolName === other.card.toolName &&
    first.input === other.input
  );
}

function createSettleTimer(): SettleTimer {
  let timer: NodeJS.Timeout | undefined;
  return {
    start(ms, action) {
      timer ??= setTimeout(() => {
        timer = undefined;
        action();
      }, ms);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
