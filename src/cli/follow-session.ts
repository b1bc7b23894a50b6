import { setTimeout } from "node:timers/promises";
import { AttachGap, DrivenSession } from "../control/control-contract.ts";
import { Envelope } from "../control/envelope.ts";
import { readStream } from "./read-stream.ts";
import type { SseMessage } from "./sse-reader.ts";

export type AttachMessage =
  | { readonly type: "snapshot"; readonly session: DrivenSession }
  /** `isReplay`: it happened before the snapshot, which already includes it. */
  | { readonly type: "envelope"; readonly envelope: Envelope; readonly isReplay: boolean }
  /** The daemon is not running, or no longer; the connection is retried. */
  | { readonly type: "down" };

export interface FollowSessionOptions {
  readonly signal: AbortSignal;
  readonly after?: number;
  readonly retryMs?: number;
  readonly silenceMs?: number;
}

/** A client's position. `seq` keeps counting across daemon restarts, so the number alone is enough. */
interface AttachPosition {
  readonly after: number;
  readonly snapshotSeq: number;
}

const RETRY_MS = 1_000;

/**
 * Follows a driven session from a position until the signal aborts. Reconnects at the same position after
 * every break: each stored envelope is yielded once and in order. An unknown session is an AppError.
 */
export async function* followSession(
  sock: string,
  sessionId: string,
  options: FollowSessionOptions,
): AsyncGenerator<AttachMessage> {
  const { signal, retryMs = RETRY_MS, silenceMs } = options;
  let position: AttachPosition = { after: options.after ?? 0, snapshotSeq: 0 };
  while (!signal.aborted) {
    const path = `/api/control/sessions/${encodeURIComponent(sessionId)}/attach?after=${position.after}`;
    let isGap = false;
    for await (const message of readStream(sock, path, { signal, lastEventId: null, silenceMs })) {
      isGap = message.event === "gap";
      const update = applyAttachMessage(position, message);
      position = update.position;
      if (update.message !== null) yield update.message;
    }
    if (signal.aborted) return;
    // The daemon is running and has the missing part, so don't wait.
    if (isGap) continue;
    yield { type: "down" };
    await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** A client's position after a message, and what is new to it. Pure. */
export function applyAttachMessage(
  position: AttachPosition,
  { event, data }: Pick<SseMessage, "event" | "data">,
): { readonly position: AttachPosition; readonly message: AttachMessage | null } {
  switch (event) {
    case "snapshot": {
      const session = DrivenSession.parse(JSON.parse(data));
      return { position: { ...position, snapshotSeq: session.seq }, message: { type: "snapshot", session } };
    }
    case "envelope": {
      const envelope = toEnvelope(JSON.parse(data));
      const { seq } = envelope;
      if (seq === 0) return { position, message: { type: "envelope", envelope, isReplay: false } };
      if (seq <= position.after) return { position, message: null };
      const isReplay = seq <= position.snapshotSeq;
      return { position: { ...position, after: seq }, message: { type: "envelope", envelope, isReplay } };
    }
    case "gap":
      return { position: { ...position, after: AttachGap.parse(JSON.parse(data)).after }, message: null };
    default:
      return { position, message: null };
  }
}

/** Types from a newer daemon are passed on; the display skips those it does not know. */
function toEnvelope(value: unknown): Envelope {
  const read = Envelope.safeParse(value);
  return read.success ? read.data : (value as Envelope);
}
