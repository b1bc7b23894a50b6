import type { SessionSnapshot } from "../serve/contract.ts";
import { applyMessage, type FollowOptions, followStream } from "./follow-stream.ts";
import { type Wait, waitKey, waitNotices } from "./wait-notices.ts";

export interface FollowWaitsOptions extends FollowOptions {
  readonly afterMs: number;
  readonly tell: (wait: Wait) => void;
  readonly onLive: (isLive: boolean) => void;
}

/** The longest that a timer of Node can be set to. */
const LONGEST_MS = 2 ** 31 - 1;

/** Tells of every wait once, when it has lasted long enough, until the signal. */
export async function followWaits(sock: string, options: FollowWaitsOptions): Promise<void> {
  const { afterMs, signal, tell, onLive } = options;
  // Kept for all that was told: after a restart of the daemon the same wait comes again.
  const told = new Set<string>();
  let sessions: ReadonlyMap<string, SessionSnapshot> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let isLive: boolean | null = null;

  const look = (): void => {
    clearTimeout(timer);
    if (signal.aborted || !isLive) return;
    const now = Date.now();
    const { due, nextAtMs } = waitNotices(sessions.values(), told, { now, afterMs });
    for (const wait of due) {
      if (signal.aborted) return;
      told.add(waitKey(wait));
      tell(wait);
    }
    if (nextAtMs !== null) timer = setTimeout(look, Math.min(LONGEST_MS, nextAtMs - now));
  };

  try {
    for await (const message of followStream(sock, options)) {
      sessions = applyMessage(sessions, message);
      const nowLive = message.type !== "down";
      if (nowLive !== isLive) onLive(nowLive);
      isLive = nowLive;
      // A gap's reset follows: until then nothing is known for sure.
      if (message.type === "gap") clearTimeout(timer);
      else look();
    }
  } finally {
    clearTimeout(timer);
  }
}
