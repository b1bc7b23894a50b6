import type { StreamGap } from "./contract.ts";
import { createPatchRing, type PatchRing } from "./patch-ring.ts";
import { BEAT, encodeMessage, RETRY } from "./sse.ts";

export interface Subscriber {
  /** The last id this client has seen. */
  readonly lastEventId?: string;
  /** There is something again, after `next` had nothing. */
  wake(): void;
  /** The stream is closed: nothing will come any more. */
  end(): void;
}

export interface Subscription {
  /** The next message; undefined when there is none now. To be called only when the client can take it. */
  next(): Uint8Array | undefined;
  close(): void;
}

/**
 * Who listens, and how far each has got. A client is a place in the one ring, not a queue of its own: one that
 * does not read costs nothing, and one that fell out of the ring is told `gap`, then `reset`, when it reads again.
 */
export interface StreamClients {
  position(): string;
  /** Gives a message the next id and everybody. */
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
  /** The message that tells everything as of `position`. */
  readonly reset: () => Uint8Array;
}

interface Client {
  readonly subscriber: Subscriber;
  isWaiting: boolean;
  isBeatDue: boolean;
}

type Place =
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

  const beat = setInterval(() => {
    for (const client of clients) {
      // One that waits for nothing has not taken what it was given: it would not take this either.
      if (!client.isWaiting) continue;
      client.isBeatDue = true;
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
      const client: Client = { subscriber, isWaiting: false, isBeatDue: false };
      let place = placeOf(subscriber.lastEventId, epoch, ring);
      let isGreeted = false;
      if (isClosed) subscriber.end();
      else clients.add(client);
      return {
        next() {
          if (!clients.has(client)) return undefined;
          if (!isGreeted) {
            isGreeted = true;
            return RETRY;
          }
          if (place.type === "after" && !ring.reachesBackTo(place.seq)) {
            place = { type: "gap", reason: "too_slow" };
          }
          switch (place.type) {
            case "gap": {
              const gap: StreamGap = { reason: place.reason };
              gaps += 1;
              place = { type: "reset" };
              return encodeMessage("gap", gap);
            }
            case "reset":
              place = { type: "after", seq: ring.last() };
              return options.reset();
            case "after": {
              const patch = ring.get(place.seq + 1);
              if (patch !== undefined) {
                place = { type: "after", seq: place.seq + 1 };
                return patch;
              }
              client.isWaiting = !client.isBeatDue;
              client.isBeatDue = false;
              return client.isWaiting ? undefined : BEAT;
            }
            default:
              return place satisfies never;
          }
        },
        close: () => void clients.delete(client),
      };
    },

    stats: () => ({ clients: clients.size, gaps }),

    close() {
      isClosed = true;
      clearInterval(beat);
      const ended = [...clients];
      clients.clear();
      for (const { subscriber } of ended) subscriber.end();
    },
  };
}

/** An id that is not of this life, whatever it looks like, is of another. */
function placeOf(lastEventId: string | undefined, epoch: string, ring: PatchRing): Place {
  if (lastEventId === undefined || lastEventId === "") return { type: "reset" };
  const [, ofEpoch, digits] = /^([0-9a-z]+)-(\d{1,15})$/.exec(lastEventId) ?? [];
  const seq = Number(digits);
  if (ofEpoch !== epoch || seq > ring.last()) return { type: "gap", reason: "restarted" };
  return ring.reachesBackTo(seq) ? { type: "after", seq } : { type: "gap", reason: "too_old" };
}
