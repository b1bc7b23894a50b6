import type { ServerResponse } from "node:http";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

type Fetch = (request: Request, env: HttpBindings | Http2Bindings) => Response | Promise<Response>;

/**
 * Writes event streams itself. The server library chains each read to the promise of the previous one, so an endless
 * stream retains two promises for every message it ever sent: 100 bytes each, per client.
 */
export function writeStreams(fetch: Fetch): Fetch {
  return async (request, env) => {
    const response = await fetch(request, env);
    if (response.headers.get("content-type") !== "text/event-stream" || response.body === null)
      return response;
    // We serve HTTP/1 only.
    const outgoing = env.outgoing as ServerResponse;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    void writeBody(response.body, outgoing);
    return ALREADY_SENT;
  };
}

/**
 * The library does not recognize its own marker if that was created after it replaced Node's `Response`, and would send
 * it as an answer.
 */
const ALREADY_SENT = {
  status: 200,
  headers: RESPONSE_ALREADY_SENT.headers,
  body: null,
} as unknown as Response;

/** Reads only as fast as the client does, and cancels the body when the client disconnects. */
async function writeBody(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  outgoing.once("close", cancel);
  outgoing.on("error", cancel);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      if (!outgoing.write(read.value)) await untilDrained(outgoing);
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error as Error);
  }
}

function untilDrained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
  });
}
