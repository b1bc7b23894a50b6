import { setTimeout } from "node:timers/promises";
import { AttachGap, DrivenSession } from "../control/control-contract.ts";
import { Envelope } from "../control/envelope.ts";
import { readStream } from "./read-stream.ts";
import type { SseMessage } from "./sse-reader.ts";

export type AttachMessage =
  | { readonly type: "snapshot"; readonly session: DrivenSession }
  /** `isReplay`: it happened before the snapshot, which knows of it. */
  | { readonly type: "envelope"; readonly envelope: Envelope; readonly isReplay: boolean }
  /** No daemon, or none any more: it is tried again. */
  | { readonly type: "down" };

export interface FollowSessionOptions {
  readonly signal: AbortSignal;
  readonly after?: number;
  readonly retryMs?: number;
  readonly silenceMs?: number;
}

/** How far a client has got. `seq` counts on over restarts of the daemon, so the number is the place. */
interface Place {
  readonly after: number;
  readonly snapshotSeq: number;
}

const RETRY_MS = 1_000;

/**
 * A driven session from a place on, for as long as the signal lets it. After every break it comes back where it was:
 * each kept envelope is given once and in order. A session that nobody knows is an AppError.
 */
export async function* followSession(
  sock: string,
  sessionId: string,
  options: FollowSessionOptions,
): AsyncGenerator<AttachMessage> {
  const { signal, retryMs = RETRY_MS, silenceMs } = options;
  let place: Place = { after: options.after ?? 0, snapshotSeq: 0 };
  while (!signal.aborted) {
    const path = `/api/control/sessions/${encodeURIComponent(sessionId)}/attach?after=${place.after}`;
    let isGap = false;
    for await (const message of readStream(sock, path, { signal, lastEventId: null, silenceMs })) {
      isGap = message.event === "gap";
      const taken = takeMessage(place, message);
      place = taken.place;
      if (taken.message !== null) yield taken.message;
    }
    if (signal.aborted) return;
    // There is a daemon, which has what is missing: no reason to wait.
    if (isGap) continue;
    yield { type: "down" };
    await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Where a client is after a message, and what is new to it. Pure. */
export function takeMessage(
  place: Place,
  { event, data }: Pick<SseMessage, "event" | "data">,
): { readonly place: Place; readonly message: AttachMessage | null } {
  switch (event) {
    case "snapshot": {
      const session = DrivenSession.parse(JSON.parse(data));
      return { place: { ...place, snapshotSeq: session.seq }, message: { type: "snapshot", session } };
    }
    case "envelope": {
      const envelope = toEnvelope(JSON.parse(data));
      const { seq } = envelope;
      if (seq === 0) return { place, message: { type: "envelope", envelope, isReplay: false } };
      if (seq <= place.after) return { place, message: null };
      const isReplay = seq <= place.snapshotSeq;
      return { place: { ...place, after: seq }, message: { type: "envelope", envelope, isReplay } };
    }
    case "gap":
      return { place: { ...place, after: AttachGap.parse(JSON.parse(data)).after }, message: null };
    default:
      return { place, message: null };
  }
}

/** A type of a newer daemon is passed on: whoever shows it knows what it does not know. */
function toEnvelope(value: unknown): Envelope {
  const read = Envelope.safeParse(value);
  return read.success ? read.data : (value as Envelope);
}
