import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import type { HeldRequest } from "./held-request.ts";
import { LEEWAY_MS } from "./hold-time.ts";
import type { HoldOptions } from "./holds.ts";
import type { OpenRequests } from "./open-requests.ts";

/** Detects requests that ended without an answer from here: by the monitor, and by their hooks' end. */
export interface EndWatch {
  /** Settles it after a short delay, unless the monitor lists it by then. */
  checkSoon(held: HeldRequest): void;
  /** Its hook has ended: No, Esc, or its process ended. */
  hookEnded(held: HeldRequest): void;
  sessionChanged(session: Pick<SessionSnapshot, "sessionId" | "requests">): void;
}

/** A request may seem over only because a status is still in transit. */
const SETTLE_DELAY_MS = 300;

export function createEndWatch(
  options: Pick<HoldOptions, "isRecorded" | "nowMs" | "session">,
  requests: OpenRequests,
): EndWatch {
  /** By the monitor's view alone, which counts only for recorded requests. */
  const isUnlisted = ({ card: { id, sessionId } }: HeldRequest): boolean => {
    const session = options.session(sessionId);
    return requests.get(id) !== undefined && session !== undefined && !isWaiting(session, id);
  };

  /** Checks the monitor again after the store: only its answer after that counts. */
  const seemsOver = async (held: HeldRequest): Promise<boolean> =>
    isUnlisted(held) && (await options.isRecorded(held.card.id)) && isUnlisted(held);

  /**
   * A hook's end and its call's end report the same answer. With equal requests, the call may have been
   * another's: then that one is over, and this one stays pending.
   */
  const endHook = async (held: HeldRequest): Promise<void> => {
    const otherStates = await Promise.all(requests.equalTo(held).map(seemsOver));
    // It may have been settled during the query.
    if (held.card.status !== "pending") return;
    if (otherStates.includes(true)) requests.leaveToTerminal(held, "cancelled");
    else requests.settle(held, "terminal", null);
  };

  /** Settles a recorded request that the monitor no longer lists. */
  const settleIfOver = async (held: HeldRequest): Promise<void> => {
    const hasEnded = await seemsOver(held);
    const session = options.session(held.card.sessionId);
    if (session === undefined || !hasEnded) return;
    requests.settle(held, hasCallerEnded(session, held.card.agentId) ? "ended" : "terminal", null);
    // Which of several equal requests the terminal answered is unknown, so it decides the others too.
    for (const other of requests.equalTo(held)) requests.leaveToTerminal(other, "cancelled");
  };

  const checkSoon = (held: HeldRequest): void =>
    held.settleTimer.start(SETTLE_DELAY_MS, () => void settleIfOver(held));

  return {
    checkSoon,
    hookEnded(held) {
      const { status, untilIso, agentId, sessionId } = held.card;
      if (status !== "pending") return;
      if (Date.parse(untilIso!) - options.nowMs() < LEEWAY_MS) requests.leaveToTerminal(held, "timeout");
      else if (agentId === null && showsDialog(options.session(sessionId)))
        requests.leaveToTerminal(held, "cancelled");
      else if (requests.equalTo(held).length === 0) requests.settle(held, "terminal", null);
      else {
        held.hasHookEnded = true;
        setTimeout(() => void endHook(held), SETTLE_DELAY_MS);
      }
    },
    sessionChanged(session) {
      for (const held of requests.all()) {
        if (held.card.sessionId !== session.sessionId) continue;
        if (isWaiting(session, held.card.id)) held.settleTimer.stop();
        else checkSoon(held);
      }
    },
  };
}

function isWaiting({ requests }: Pick<SessionSnapshot, "requests">, id: string): boolean {
  return requests.some(({ requestId }) => requestId === id);
}

function hasCallerEnded(
  { state, subagents }: Pick<SessionSnapshot, "state" | "subagents">,
  agentId: string | null,
): boolean {
  if (state === "completed" || state === "lost") return true;
  return subagents.some((subagent) => subagent.agentId === agentId && !subagent.isRunning);
}

/** The terminal still shows the dialog, so the hook ended without an answer. */
function showsDialog(session: Pick<SessionSnapshot, "evidence"> | undefined): boolean {
  return session?.evidence.some(({ source }) => source === "registry") === true;
}
