import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import type { HeldRequest } from "./held-request.ts";
import { LEEWAY_MS } from "./hold-time.ts";
import type { HoldOptions } from "./holds.ts";
import type { OpenRequests } from "./open-requests.ts";

/** Finds out which requests are over without an answer from here: by the monitor, and by the end of their hooks. */
export interface EndWatch {
  /** In a moment, unless the monitor lists it by then. */
  checkSoon(held: HeldRequest): void;
  /** Its hook has ended: No, Esc, or the end of its process. */
  hookGone(held: HeldRequest): void;
  sessionChanged(session: Pick<SessionSnapshot, "sessionId" | "requests">): void;
}

/** What looks over for a moment may be a status that was on its way. */
const GONE_MS = 300;

export function createEndWatch(
  options: Pick<HoldOptions, "isRecorded" | "nowMs" | "session">,
  requests: OpenRequests,
): EndWatch {
  /** As far as the monitor knows it: it counts only for what was recorded. */
  const isUnlisted = ({ card: { id, sessionId } }: HeldRequest): boolean => {
    const session = options.session(sessionId);
    return requests.get(id) !== undefined && session !== undefined && !isWaiting(session, id);
  };

  /** Asks the store first: the monitor's answer that counts is the one after it. */
  const looksOver = async (held: HeldRequest): Promise<boolean> =>
    isUnlisted(held) && (await options.isRecorded(held.card.id)) && isUnlisted(held);

  /**
   * The end of a hook and the end of its call tell of the same answer. Of equal requests the call may have ended
   * another one: then that is the one that is over, and this one waits.
   */
  const endHook = async (held: HeldRequest): Promise<void> => {
    const over = await Promise.all(requests.equalTo(held).map(looksOver));
    // It may have been settled while the store was asked.
    if (held.card.status !== "pending") return;
    if (over.includes(true)) requests.leaveToTerminal(held, "cancelled");
    else requests.settle(held, "terminal", null);
  };

  /** Settles a request that was recorded and that the monitor no longer lists. */
  const settleIfOver = async (held: HeldRequest): Promise<void> => {
    const isOver = await looksOver(held);
    const session = options.session(held.card.sessionId);
    if (session === undefined || !isOver) return;
    requests.settle(held, hasAskerEnded(session, held.card.agentId) ? "ended" : "terminal", null);
    // Which of several equal requests their terminal answered, nobody can tell: it decides the others, too.
    for (const other of requests.equalTo(held)) requests.leaveToTerminal(other, "cancelled");
  };

  const checkSoon = (held: HeldRequest): void => held.overTimer.start(GONE_MS, () => void settleIfOver(held));

  return {
    checkSoon,
    hookGone(held) {
      const { status, untilIso, agentId, sessionId } = held.card;
      if (status !== "pending") return;
      if (Date.parse(untilIso!) - options.nowMs() < LEEWAY_MS) requests.leaveToTerminal(held, "timeout");
      else if (agentId === null && showsDialog(options.session(sessionId)))
        requests.leaveToTerminal(held, "cancelled");
      else if (requests.equalTo(held).length === 0) requests.settle(held, "terminal", null);
      else {
        held.isHookGone = true;
        setTimeout(() => void endHook(held), GONE_MS);
      }
    },
    sessionChanged(session) {
      for (const held of requests.all()) {
        if (held.card.sessionId !== session.sessionId) continue;
        if (isWaiting(session, held.card.id)) held.overTimer.stop();
        else checkSoon(held);
      }
    },
  };
}

function isWaiting({ requests }: Pick<SessionSnapshot, "requests">, id: string): boolean {
  return requests.some(({ requestId }) => requestId === id);
}

function hasAskerEnded(
  { state, subagents }: Pick<SessionSnapshot, "state" | "subagents">,
  agentId: string | null,
): boolean {
  if (state === "completed" || state === "lost") return true;
  return subagents.some((one) => one.agentId === agentId && !one.isRunning);
}

/** The terminal still shows the dialog: the hook was ended by something other than an answer. */
function showsDialog(session: Pick<SessionSnapshot, "evidence"> | undefined): boolean {
  return session?.evidence.some(({ source }) => source === "registry") === true;
}
