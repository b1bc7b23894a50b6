import type { StreamGap } from "./contract.ts";
import { createPatchRing, type PatchRing } from "./patch-ring.ts";
import { encodeMessage, HEARTBEAT_MESSAGE, RETRY } from "./sse.ts";

export interface Subscriber {
  /** The last id that this client has seen. */
  readonly lastEventId?: string;
  /** Messages are available again after `next` returned undefined. */
  wake(): void;
  /** The stream is closed: no more messages will come. */
  end(): void;
}

export interface Subscription {
  /** The next message; undefined when there is none yet. Call it only when the client can accept one. */
  next(): Uint8Array | undefined;
  close(): void;
}

/**
 * All subscribers and their positions. A client is a position in the shared ring, not a queue of its own: one that does
 * not read costs nothing, and one that fell out of the ring gets `gap`, then `reset`, when it reads again.
 */
export interface StreamClients {
  position(): string;
  /** Sends a message with the next id to every client. */
  send(event: string, data: unknown): void;
  subscribe(subscriber: Subscriber): Subscription;
  stats(): { readonly clients: number; readonly gaps: number };
  close(): void;
}

interface StreamClientsOptions {
  readonly epoch: string;
  readonly ringSize: number;
  readonly ringBytes: number;
  readonly heartbeatMs: number;
  /** The message with the full state as of `position`. */
  readonly reset: () => Uint8Array;
}

interface Client {
  readonly subscriber: Subscriber;
  isWaiting: boolean;
  isHeartbeatDue: boolean;
}

type ClientPosition =
  | { readonly type: "after"; readonly seq: number }
  | { readonly type: "gap"; readonly reason: StreamGap["reason"] }
  | { readonly type: "reset" };

export function createStreamClients(options: StreamClientsOptions): StreamClients {
  const { epoch, heartbeatMs } = options;
  const ring = createPatchRing(options.ringSize, options.ringBytes);
  const clients = new Set<Client>();
  let gaps = 0;
  let isClosed = false;

  const wake = (client: Client): void => {
    if (!client.isWaiting) return;
    client.isWaiting = false;
    client.subscriber.wake();
  };

  const heartbeat = setInterval(() => {
    for (const client of clients) {
      // A client that is not waiting has not consumed its last message, so it would not consume this one.
      if (!client.isWaiting) continue;
      client.isHeartbeatDue = true;
      wake(client);
    }
  }, heartbeatMs).unref();

  return {
    position: () => `${epoch}-${ring.last()}`,

    send(event, data) {
      ring.push(encodeMessage(event, data, `${epoch}-${ring.last() + 1}`));
      for (const client of clients) wake(client);
    },

    subscribe(subscriber) {
      const client: Client = { subscriber, isWaiting: false, isHeartbeatDue: false };
      let position = positionOf(subscriber.lastEventId, epoch, ring);
      let hasSentRetry = false;
      if (isClosed) subscriber.end();
      else clients.add(client);
      return {
        next() {
          if (!clients.has(client)) return undefined;
          if (!hasSentRetry) {
            hasSentRetry = true;
            return RETRY;
          }
          if (position.type === "after" && !ring.reachesBackTo(position.seq)) {
            position = { type: "gap", reason: "too_slow" };
          }
          switch (position.type) {
            case "gap": {
              const gap: StreamGap = { reason: position.reason };
              gaps += 1;
              position = { type: "reset" };
              return encodeMessage("gap", gap);
            }
            case "reset":
              position = { type: "after", seq: ring.last() };
              return options.reset();
            case "after": {
              const patch = ring.get(position.seq + 1);
              if (patch !== undefined) {
                position = { type: "after", seq: position.seq + 1 };
                return patch;
              }
              client.isWaiting = !client.isHeartbeatDue;
              client.isHeartbeatDue = false;
              return client.isWaiting ? undefined : HEARTBEAT_MESSAGE;
            }
            default:
              return position satisfies never;
          }
        },
        close: () => void clients.delete(client),
      };
    },

    stats: () => ({ clients: clients.size, gaps }),

    close() {
      isClosed = true;
      clearInterval(heartbeat);
      const ended = [...clients];
      clients.clear();
      for (const { subscriber } of ended) subscriber.end();
    },
  };
}

/** An id that is not of this run counts as one of another run, whatever its form. */
function positionOf(lastEventId: string | undefined, epoch: string, ring: PatchRing): ClientPosition {
  if (lastEventId === undefined || lastEventId === "") return { type: "reset" };
  const [, idEpoch, digits] = /^([0-9a-z]+)-(\d{1,15})$/.exec(lastEventId) ?? [];
  const seq = Number(digits);
  if (idEpoch !== epoch || seq > ring.last()) return { type: "gap", reason: "restarted" };
  return ring.reachesBackTo(seq) ? { type: "after", seq } : { type: "gap", reason: "too_old" };
}
