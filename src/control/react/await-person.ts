import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";

/** Who waits for a person, told once a wait, and only when it still waits after a moment. */
export interface PersonWaits {
  changed(snapshot: SessionSnapshot): void;
  close(): void;
}

export interface PersonWaitOptions {
  readonly session: (sessionId: string) => SessionSnapshot | undefined;
  readonly onWait: (snapshot: SessionSnapshot) => void;
  /** A rule, or somebody elsewhere, may answer before anybody needs to come. */
  readonly momentMs?: number;
}

const MOMENT_MS = 1_000;
/** The registry was seen to say it before the hook that names the request. */
const UNNAMED = "registry:";

export function createPersonWaits({ session, onWait, momentMs = MOMENT_MS }: PersonWaitOptions): PersonWaits {
  /** What each session was last told to wait for. */
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
    changed(snapshot) {
      const { sessionId } = snapshot;
      if (!snapshot.needsPerson) return forget(sessionId);
      const key = keyOf(snapshot);
      const before = told.get(sessionId);
      if (before?.startsWith(UNNAMED)) told.set(sessionId, key);
      else if (before !== key && !soon.has(sessionId))
        soon.set(sessionId, setTimeout(look, momentMs, sessionId).unref());
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
