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

const DELAY_MS = 1_000;
/** Marks a wait that the registry reported before the hook that names its request. */
const UNNAMED = "registry:";

export function createPersonWaits({ session, onWait, delayMs = DELAY_MS }: PersonWaitOptions): PersonWaits {
  /** The last reported wait of each session. */
  const told = new Map<string, string>();
  const soon = new Map<string, NodeJS.Timeout>();

  const forget = (sessionId: string): void => {
    clearTimeout(soon.get(sessionId));
    soon.delete(sessionId);
    told.delete(sessionId);
  };
  const look = (sessionId: string): void => {
    const now = session(sessionId);
    if (!soon.delete(sessionId) || now === undefined || !now.needsPerson) return;
    told.set(sessionId, keyOf(now));
    onWait(now);
  };

  return {
    sessionChanged(snapshot) {
      const { sessionId } = snapshot;
      if (!snapshot.needsPerson) return forget(sessionId);
      const key = keyOf(snapshot);
      const before = told.get(sessionId);
      if (before?.startsWith(UNNAMED)) told.set(sessionId, key);
      else if (before !== key && !soon.has(sessionId))
        soon.set(sessionId, setTimeout(look, delayMs, sessionId).unref());
    },
    close() {
      for (const timer of soon.values()) clearTimeout(timer);
      soon.clear();
    },
  };
}

function keyOf({ waiting, sinceIso }: SessionSnapshot): string {
  return waiting?.requestId ?? sinceIso;
}
