import type { SessionSnapshot } from "../monitor/session-snapshot.ts";
import type { StreamCards, StreamPatch, StreamReset } from "./contract.ts";
import { areQuiet, changedFields, type Field, pickFields, restMs } from "./session-changes.ts";
import { encodeMessage } from "./sse.ts";
import { createStreamClients, type StreamClients } from "./stream-clients.ts";

export interface SessionStreamOptions {
  /** Base 36, another one in every life of a daemon. */
  readonly epoch: string;
  readonly nowMs: () => number;
  /** How many patches, and bytes of patches, a client may be behind. */
  readonly ringSize?: number;
  readonly ringBytes?: number;
  /** The shortest time between two patches of one session. */
  readonly perSessionMs?: number;
  readonly heartbeatMs?: number;
}

/**
 * The changes of all watched sessions, in one order.
 *
 * `publish` must be told every state of a session that another answer may show, and the object must not change
 * afterwards. Then a client that has such an answer, and every patch after the `position` from before it, has
 * what a client has that listened all the time.
 */
export interface SessionStream extends Pick<StreamClients, "position" | "subscribe" | "stats"> {
  publish(snapshot: SessionSnapshot): void;
  /**
   * A request was put or settled. Told after it can be read: who asks for the cards at a reset and at each such word
   * has them as they are.
   */
  cardsChanged(sessionId: string): void;
  /** The session is no longer watched. Nobody is told; when it comes back, all of its fields are sent. */
  drop(sessionId: string): void;
  /** Ends every client, and returns when they may be cut off. What is published later goes nowhere. */
  close(): Promise<void>;
}

interface Watched {
  newest: SessionSnapshot;
  /**
   * Fields that changed since the last patch, also those that have changed back: a page or a reset may have
   * shown the value between, and only the patch takes it back.
   */
  readonly owed: Set<Field>;
  sentAtMs: number | null;
  timer: NodeJS.Timeout | undefined;
}

export function createSessionStream(options: SessionStreamOptions): SessionStream {
  const { epoch, nowMs, ringSize = 4_096, ringBytes = 16 * 1024 * 1024 } = options;
  const { perSessionMs = 200, heartbeatMs = 15_000 } = options;
  const watched = new Map<string, Watched>();
  let isClosed = false;

  /** Kept, so that clients that come at the same moment share the bytes. */
  let reset: Uint8Array | undefined;
  const takeReset = (): Uint8Array => {
    const body = (): StreamReset => ({ sessions: [...watched.values()].map(({ newest }) => newest) });
    reset ??= encodeMessage("reset", body(), clients.position());
    return reset;
  };
  const clients = createStreamClients({ epoch, ringSize, ringBytes, heartbeatMs, reset: takeReset });

  const send = (session: Watched): void => {
    clearTimeout(session.timer);
    session.timer = undefined;
    const { sessionId } = session.newest;
    const patch: StreamPatch = { sessionId, set: pickFields(session.newest, session.owed) };
    session.owed.clear();
    session.sentAtMs = nowMs();
    reset = undefined;
    clients.send("patch", patch);
  };

  /** A timer may be early by a part of a millisecond. */
  const sendWhenDue = (session: Watched): void => {
    const rest = restMs(session.sentAtMs, nowMs(), perSessionMs);
    if (rest === 0) send(session);
    else session.timer = setTimeout(() => sendWhenDue(session), rest).unref();
  };

  return {
    position: clients.position,
    subscribe: clients.subscribe,
    stats: clients.stats,

    publish(snapshot) {
      if (isClosed) return;
      const known = watched.get(snapshot.sessionId);
      const changed = changedFields(known?.newest, snapshot);
      if (changed.length === 0) return;
      const session = known ?? newlyWatched(snapshot);
      watched.set(snapshot.sessionId, session);
      session.newest = snapshot;
      for (const field of changed) session.owed.add(field);
      reset = undefined;
      const rest = restMs(session.sentAtMs, nowMs(), perSessionMs);
      if (rest === 0 && !areQuiet(session.owed)) send(session);
      else session.timer ??= setTimeout(() => sendWhenDue(session), rest || perSessionMs).unref();
    },

    cardsChanged(sessionId) {
      if (isClosed) return;
      reset = undefined;
      clients.send("cards", { sessionId } satisfies StreamCards);
    },

    drop(sessionId) {
      const session = watched.get(sessionId);
      if (session === undefined) return;
      // Now or never: who takes a page without the session could not use a part of it.
      if (session.owed.size > 0) send(session);
      watched.delete(sessionId);
      reset = undefined;
    },

    async close() {
      isClosed = true;
      for (const { timer } of watched.values()) clearTimeout(timer);
      watched.clear();
      clients.close();
      // The last bytes of a response go out when its promises have run.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function newlyWatched(newest: SessionSnapshot): Watched {
  return { newest, owed: new Set(), sentAtMs: null, timer: undefined };
}
