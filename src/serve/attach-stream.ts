import type { AttachGap, DrivenSession } from "../control/control-contract.ts";
import type { Attached, DrivenSessions } from "../control/control-ports.ts";
import { type Envelope, isTransient } from "../control/envelope.ts";
import { encodeMessage, HEARTBEAT_COMMENT, RETRY } from "./sse.ts";

export interface AttachStreamOptions {
  /** How many bytes may be queued for a client that does not read. */
  readonly maxBytes?: number;
  readonly heartbeatMs?: number;
}

type Item =
  | { readonly type: "kept"; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly type: "delta"; readonly envelope: Envelope & { readonly type: "text.delta" } };

/**
 * Streams a driven session to one client: `snapshot`, every stored envelope after `after`, then live ones. The queue of
 * a client that does not read is bounded: once it is full, the client still gets what was queued in order, then `gap`,
 * and re-attaches from its position. So no stored envelope is ever skipped.
 */
export async function openAttachStream(
  driven: Pick<DrivenSessions, "attach">,
  sessionId: string,
  after: number,
  options: AttachStreamOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const { maxBytes = 4 * 1024 * 1024, heartbeatMs = 15_000 } = options;
  const queue: Item[] = [];
  let queuedBytes = 0;
  /** The last seq that was queued. */
  let last = after;
  let isFull = false;
  let isHeartbeatDue = false;
  let attached: Attached | undefined;
  let wakeReader = (): void => undefined;

  const onEnvelope = (envelope: Envelope): void => {
    if (isFull || (!isTransient(envelope) && envelope.seq <= last)) return;
    const lastItem = queue.at(-1);
    if (envelope.type === "text.delta" && lastItem?.type === "delta") {
      const text = lastItem.envelope.text + envelope.text;
      queue[queue.length - 1] = { type: "delta", envelope: { ...lastItem.envelope, text } };
      queuedBytes += envelope.text.length;
    } else {
      const item = toItem(envelope);
      // The first item is sent whatever its size; otherwise no client would ever get past it.
      if (queue.length > 0 && queuedBytes + sizeOf(item) > maxBytes) {
        isFull = true;
        attached?.close();
      } else {
        queue.push(item);
        queuedBytes += sizeOf(item);
        if (item.type === "kept") last = item.seq;
      }
    }
    wakeReader();
  };

  attached = await driven.attach(sessionId, after, onEnvelope);
  const { snapshot } = attached;
  const isAhead = after > snapshot.seq;
  if (isFull || isAhead) attached.close();
  const initialMessages = [RETRY, encodeMessage("snapshot", snapshot satisfies DrivenSession)];
  const heartbeat = setInterval(() => {
    isHeartbeatDue = true;
    wakeReader();
  }, heartbeatMs).unref();

  const end = (): void => {
    clearInterval(heartbeat);
    attached.close();
  };

  /** Undefined when nothing is queued. */
  const next = (): Uint8Array | "end" | undefined => {
    const initialMessage = initialMessages.shift();
    if (initialMessage !== undefined) return initialMessage;
    if (isAhead) return "end";
    const item = queue.shift();
    if (item !== undefined) {
      queuedBytes -= sizeOf(item);
      return item.type === "kept" ? item.bytes : encodeMessage("envelope", item.envelope);
    }
    if (isFull) return "end";
    if (!isHeartbeatDue) return undefined;
    isHeartbeatDue = false;
    return HEARTBEAT_COMMENT;
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let message = next();
        while (message === undefined) {
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
          message = next();
        }
        if (message !== "end") return controller.enqueue(message);
        end();
        controller.enqueue(gapMessage(snapshot, isAhead ? null : last));
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

function toItem(envelope: Envelope): Item {
  if (envelope.type === "text.delta") return { type: "delta", envelope };
  const { epoch, seq } = envelope;
  return { type: "kept", seq, bytes: encodeMessage("envelope", envelope, `${epoch}-${seq}`) };
}

function sizeOf(item: Item): number {
  return item.type === "kept" ? item.bytes.length : item.envelope.text.length;
}

/** Carries an id when the client's own position is meaningless here: a browser sends it on reconnect. */
function gapMessage({ epoch }: DrivenSession, last: number | null): Uint8Array {
  const gap: AttachGap =
    last === null ? { reason: "unknown_place", after: 0 } : { reason: "too_slow", after: last };
  return encodeMessage("gap", gap, last === null ? `${epoch}-0` : undefined);
}
