import type { HookAsk, HookReply } from "../../agents/answer-format.ts";
import type { MayRecord } from "../../capture/recording-rules.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import type { Viewers } from "./viewers.ts";

/**
 * Requests of terminal sessions, held open for an answer from elsewhere: the first answer wins. Each is answered at most
 * once. The monitor alone says which requests still wait; one that it no longer lists is over.
 */
export interface Holds {
  /** What is said to the hook when somebody answers; null when the terminal is to decide alone. */
  hold(ask: HookAsk | null, how: HoldHow): Promise<HookReply | null>;
  answer(cardId: string, answer: CardAnswer): Card;
  /** Those that wait, the oldest first, also those that only their terminal can answer. */
  cards(): readonly Card[];
  get(cardId: string): Card | undefined;
  /** What was just recorded: a denial may turn out to have come too late. */
  told(events: readonly HooklineEvent[]): void;
  /** What was heard and not recorded: a process that begins or ends during a pause does so all the same. */
  unrecorded(event: HooklineEvent): void;
  sessionChanged(session: Pick<SessionSnapshot, "sessionId" | "requests">): void;
  /** Gives everything back to the terminals. */
  close(): void;
}

export interface HoldHow {
  /** Of the recorded request; null when it was not recorded, and then it is not held. */
  readonly requestId: string | null;
  /** False for a run without a person (`claude -p`). */
  readonly attended: boolean | null;
  /** When it came in; the hook has been waiting since then. */
  readonly arrivedMs?: number;
  /** How long the hook waits, which was written when it was installed; null when it does not say. */
  readonly waitMs?: number | null;
  /** Aborted when the hook is gone: No, Esc, or the end of its process. */
  readonly signal: AbortSignal;
  /** Of the rule that had it asked, where one did. */
  readonly reason?: string | null;
  readonly rule?: string | null;
}

export interface HoldOptions {
  /** Whether answers from here are wanted, as of now: once they are not, everything is left to the terminals. */
  readonly isOn: () => boolean;
  readonly holdMs: number;
  /** Whether runs without a person are held, too. */
  readonly headless: boolean;
  readonly nowMs: () => number;
  readonly projectOf: (cwd: string | null) => string | null;
  readonly isDriven: (sessionId: string) => boolean;
  readonly viewers: Viewers;
  /** The session as the monitor sees it now. */
  readonly session: (
    sessionId: string,
  ) => Pick<SessionSnapshot, "state" | "requests" | "subagents" | "evidence"> | undefined;
  /** Whether the monitor has heard of a request. */
  readonly isRecorded: (requestId: string) => Promise<boolean>;
  readonly mayRecord: MayRecord;
  /** Writes into the log where that may be, and tells the monitor either way. */
  readonly note: (event: HooklineEvent) => void;
  readonly onChange: (card: Card) => void;
}
