import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";

/** Reports each wait for a person once, and only if it still lasts after a short delay. */
export interface PersonWaits {
  sessionChanged(snapshot: SessionSnapshot): void;
  close(): void;
}

export interface PersonWaitOptions {
  readonly session: (sessionId: string) => SessionSnapshot | undefined;
  readonly onWait: (snapshot: SessionSnapshot) => void;
  /** A rule or another client may answer before a person is needed. */
  readonly delayMs?: number;
}

const DEFAULT_DELAY_MS = 1_000;
/** Marks a wait that the registry reported before the hook that names its request. */
const UNNAMED_PREFIX = "registry:";

export function createPersonWaits({
  session,
  onWait,
  delayMs = DEFAULT_DELAY_MS,
}: PersonWaitOptions): PersonWaits {
  /** The last reported wait of each session. */
  const reported = new Map<string, string>();
  const timers = new Map<string, NodeJS.Timeout>();

  const forget = (sessionId: string): void => {
    clearTimeout(timers.get(sessionId));
    timers.delete(sessionId);
    reported.delete(sessionId);
  };
  const reportIfWaiting = (sessionId: string): void => {
    const snapshot = session(sessionId);
    if (!timers.delete(sessionId) || snapshot === undefined || !snapshot.needsPerson) return;
    reported.set(sessionId, keyOf(snapshot));
    onWait(snapshot);
  };

  return {
    sessionChanged(snapshot) {
      const { sessionId } = snapshot;
      if (!snapshot.needsPerson) return forget(sessionId);
      const key = keyOf(snapshot);
      const previous = reported.get(sessionId);
      if (previous?.startsWith(UNNAMED_PREFIX)) reported.set(sessionId, key);
      else if (previous !== key && !timers.has(sessionId))
        timers.set(sessionId, setTimeout(reportIfWaiting, delayMs, sessionId).unref());
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

function keyOf({ waiting, sinceIso }: SessionSnapshot): string {
  return waiting?.requestId ?? sinceIso;
}
