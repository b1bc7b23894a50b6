import { Hono } from "hono";
import type { SessionStream } from "./session-stream.ts";
import type { Subscription } from "./stream-clients.ts";
import type { WatchPorts } from "./watch-ports.ts";

const HEADERS = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };

export function streamRoute(watch: WatchPorts): Hono {
  return new Hono().get("/api/stream", (c) => {
    // A reconnecting browser sends the header to its original URL, so the header is newer than the query.
    const lastEventId = c.req.header("last-event-id") ?? c.req.query("lastEventId");
    return c.body(toBody(watch.stream, lastEventId), 200, HEADERS);
  });
}

/**
 * Buffers nothing: with a high-water mark of zero the body pulls a message only when the response can accept one, and a
 * response that is never read is never subscribed.
 */
function toBody(stream: SessionStream, lastEventId: string | undefined): ReadableStream<Uint8Array> {
  let subscription: Subscription | undefined;
  let isEnded = false;
  let wakeReader = (): void => undefined;
  const end = (): void => {
    isEnded = true;
    wakeReader();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        subscription ??= stream.subscribe({ lastEventId, wake: () => wakeReader(), end });
        let message = subscription.next();
        while (message === undefined && !isEnded) {
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
          message = subscription.next();
        }
        if (message !== undefined) controller.enqueue(message);
        else controller.close();
      },
      cancel() {
        subscription?.close();
      },
    },
    { highWaterMark: 0 },
  );
}
