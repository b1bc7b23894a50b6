import type { SessionSnapshot } from "../serve/contract.ts";
import { applyStreamMessage, type FollowStreamOptions, followStream } from "./follow-stream.ts";
import { type Wait, waitKey, waitNotices } from "./wait-notices.ts";

export interface FollowWaitsOptions extends FollowStreamOptions {
  readonly afterMs: number;
  readonly onWait: (wait: Wait) => void;
  readonly onLive: (isLive: boolean) => void;
}

/** The maximum delay of a Node timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Reports every wait once, when it has lasted long enough, until the signal aborts. */
export async function followWaits(sock: string, options: FollowWaitsOptions): Promise<void> {
  const { afterMs, signal, onWait, onLive } = options;
  // Never cleared: the same wait appears again after a daemon restart.
  const notified = new Set<string>();
  let sessions: ReadonlyMap<string, SessionSnapshot> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let isLive: boolean | null = null;

  const check = (): void => {
    clearTimeout(timer);
    if (signal.aborted || !isLive) return;
    const now = Date.now();
    const { due, nextAtMs } = waitNotices(sessions.values(), notified, { now, afterMs });
    for (const wait of due) {
      if (signal.aborted) return;
      notified.add(waitKey(wait));
      onWait(wait);
    }
    if (nextAtMs !== null) timer = setTimeout(check, Math.min(MAX_TIMER_MS, nextAtMs - now));
  };

  try {
    for await (const message of followStream(sock, options)) {
      sessions = applyStreamMessage(sessions, message);
      const nowLive = message.type !== "down";
      if (nowLive !== isLive) onLive(nowLive);
      isLive = nowLive;
      // A reset follows a gap; until then nothing is certain.
      if (message.type === "gap") clearTimeout(timer);
      else check();
    }
  } finally {
    clearTimeout(timer);
  }
}
