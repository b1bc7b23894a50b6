import type { SessionSnapshot } from "../monitor/session-snapshot.ts";
import type { StreamCards, StreamPatch, StreamReset } from "./contract.ts";
import { areQuiet, changedFields, cooldownMs, pickFields, type SnapshotField } from "./session-changes.ts";
import { encodeMessage } from "./sse.ts";
import { createStreamClients, type StreamClients } from "./stream-clients.ts";

export interface SessionStreamOptions {
  /** Base 36, different in every run of a daemon. */
  readonly epoch: string;
  readonly nowMs: () => number;
  /** How many patches, and bytes of patches, a client may lag behind. */
  readonly ringSize?: number;
  readonly ringBytes?: number;
  /** The minimum time between two patches of one session. */
  readonly perSessionMs?: number;
  readonly heartbeatMs?: number;
}

/**
 * Changes to all watched sessions, in one total order.
 *
 * `publish` must be called with every session state that another response may contain, and the object must not change
 * afterwards. Then a client that holds such a response, and every patch after the `position` read before it, has the same
 * state as a client that was subscribed all along.
 */
export interface SessionStream extends Pick<StreamClients, "position" | "subscribe" | "stats"> {
  publish(snapshot: SessionSnapshot): void;
  /**
   * A request was added or settled. Emitted after the change is readable, so a client that re-fetches at each reset and
   * event always sees current cards.
   */
  publishCardsChanged(sessionId: string): void;
  /** Stops watching a session. Clients are not notified; if the session reappears, all of its fields are sent. */
  drop(sessionId: string): void;
  /** Ends every client's stream, and resolves when the connections can be closed. Later publishes are ignored. */
  close(): Promise<void>;
}

interface WatchedSession {
  latest: SessionSnapshot;
  /**
   * Fields that changed since the last patch, including those that changed back: a page or a reset may have shown the
   * value in between, and only the patch reverts it.
   */
  readonly unsentFields: Set<SnapshotField>;
  sentAtMs: number | null;
  timer: NodeJS.Timeout | undefined;
}

export function createSessionStream(options: SessionStreamOptions): SessionStream {
  const { epoch, nowMs, ringSize = 4_096, ringBytes = 16 * 1024 * 1024 } = options;
  const { perSessionMs = 200, heartbeatMs = 15_000 } = options;
  const watched = new Map<string, WatchedSession>();
  let isClosed = false;

  /** Cached, so that clients that connect at the same moment share the bytes. */
  let reset: Uint8Array | undefined;
  const encodeReset = (): Uint8Array => {
    const body = (): StreamReset => ({ sessions: [...watched.values()].map(({ latest }) => latest) });
    reset ??= encodeMessage("reset", body(), clients.position());
    return reset;
  };
  const clients = createStreamClients({ epoch, ringSize, ringBytes, heartbeatMs, reset: encodeReset });

  const send = (session: WatchedSession): void => {
    clearTimeout(session.timer);
    session.timer = undefined;
    const { sessionId } = session.latest;
    const patch: StreamPatch = { sessionId, set: pickFields(session.latest, session.unsentFields) };
    session.unsentFields.clear();
    session.sentAtMs = nowMs();
    reset = undefined;
    clients.send("patch", patch);
  };

  /** A timer may fire a fraction of a millisecond early. */
  const sendWhenDue = (session: WatchedSession): void => {
    const waitMs = cooldownMs(session.sentAtMs, nowMs(), perSessionMs);
    if (waitMs === 0) send(session);
    else session.timer = setTimeout(() => sendWhenDue(session), waitMs).unref();
  };

  return {
    position: clients.position,
    subscribe: clients.subscribe,
    stats: clients.stats,

    publish(snapshot) {
      if (isClosed) return;
      const existing = watched.get(snapshot.sessionId);
      const changed = changedFields(existing?.latest, snapshot);
      if (changed.length === 0) return;
      const session = existing ?? toWatchedSession(snapshot);
      watched.set(snapshot.sessionId, session);
      session.latest = snapshot;
      for (const field of changed) session.unsentFields.add(field);
      reset = undefined;
      const waitMs = cooldownMs(session.sentAtMs, nowMs(), perSessionMs);
      if (waitMs === 0 && !areQuiet(session.unsentFields)) send(session);
      else session.timer ??= setTimeout(() => sendWhenDue(session), waitMs || perSessionMs).unref();
    },

    publishCardsChanged(sessionId) {
      if (isClosed) return;
      reset = undefined;
      clients.send("cards", { sessionId } satisfies StreamCards);
    },

    drop(sessionId) {
      const session = watched.get(sessionId);
      if (session === undefined) return;
      // Send now: a client whose page lacks the session could not apply a partial patch later.
      if (session.unsentFields.size > 0) send(session);
      watched.delete(sessionId);
      reset = undefined;
    },

    async close() {
      isClosed = true;
      for (const { timer } of watched.values()) clearTimeout(timer);
      watched.clear();
      clients.close();
      // The last bytes of a response are written once its promises have run.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function toWatchedSession(latest: SessionSnapshot): WatchedSession {
  return { latest, unsentFields: new Set(), sentAtMs: null, timer: undefined };
}
