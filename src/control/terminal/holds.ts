import type { HookAsk, HookReply } from "../../agents/answer-format.ts";
import type { MayRecord } from "../../capture/recording-rules.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import type { Viewers } from "./viewers.ts";

/**
 * Requests of terminal sessions, held open for another client: the first answer wins, and each is answered at
 * most once. Only the monitor knows which are still pending; one that it no longer lists is over.
 */
export interface Holds {
  /** The reply to the hook once a person answers; null if only the terminal decides. */
  hold(ask: HookAsk | null, how: HoldDetails): Promise<HookReply | null>;
  answer(cardId: string, answer: CardAnswer): Card;
  /** Pending requests, oldest first, including those that only their terminal can answer. */
  cards(): readonly Card[];
  get(cardId: string): Card | undefined;
  /** Recorded events: a denial may turn out to have come too late. */
  onEvents(events: readonly HooklineEvent[]): void;
  /** Events seen but not recorded: processes also start and end while recording is paused. */
  onUnrecorded(event: HooklineEvent): void;
  sessionChanged(session: Pick<SessionSnapshot, "sessionId" | "requests">): void;
  /** Returns all requests to their terminals. */
  close(): void;
}

export interface HoldDetails {
  /** Id of the recorded request; null if it was not recorded, and then it is not held. */
  readonly requestId: string | null;
  /** False for a run without a person (`claude -p`). */
  readonly attended: boolean | null;
  /** When it arrived; the hook has been waiting since then. */
  readonly arrivedMs?: number;
  /** The hook's timeout, fixed at install time; null if it does not report one. */
  readonly waitMs?: number | null;
  /** Aborted when the hook is gone: No, Esc, or its process ended. */
  readonly signal: AbortSignal;
  /** Reason of the rule that required asking, if any. */
  readonly reason?: string | null;
  readonly rule?: string | null;
}

export interface HoldOptions {
  /** Whether remote answers are currently enabled: once they are not, everything is left to the terminals. */
  readonly isOn: () => boolean;
  readonly holdMs: number;
  /** Whether runs without a person are held too. */
  readonly headless: boolean;
  readonly nowMs: () => number;
  readonly projectOf: (cwd: string | null) => string | null;
  readonly isDriven: (sessionId: string) => boolean;
  readonly viewers: Viewers;
  /** The session as the monitor currently sees it. */
  readonly session: (
    sessionId: string,
  ) => Pick<SessionSnapshot, "state" | "requests" | "subagents" | "evidence"> | undefined;
  /** Whether a request is stored, so that the monitor knows it. */
  readonly isRecorded: (requestId: string) => Promise<boolean>;
  readonly mayRecord: MayRecord;
  /** Writes to the log if recording is allowed, and notifies the monitor either way. */
  readonly record: (event: HooklineEvent) => void;
  readonly onChange: (card: Card) => void;
}
