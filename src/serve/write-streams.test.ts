import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { queryObjects } from "node:v8";
import { getRequestListener } from "@hono/node-server";
import { afterEach, expect, it } from "vitest";

// As in a daemon that already serves: the library replaces Node's `Response` before our module is loaded.
getRequestListener(() => new Response());
const { writeStreams } = await import("./write-streams.ts");

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Source {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly cancelled: Promise<void>;
}

/** A server with one stream, its client, and the stream's source. */
async function connect(): Promise<Source & { readonly client: IncomingMessage }> {
  const opened = Promise.withResolvers<Source>();
  const cancelled = Promise.withResolvers<void>();
  const respond = (): Response => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => opened.resolve({ controller, cancelled: cancelled.promise }),
      cancel: () => cancelled.resolve(),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream", "x-kept": "yes" } });
  };
  const listening = createServer(getRequestListener(writeStreams(respond)));
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const { port } = listening.address() as AddressInfo;
  const client = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, agent: false }, resolve).on("error", reject);
  });
  return { ...(await opened.promise), client };
}

/** Sends messages one by one, each after the client has received the previous one. */
async function sendAll(
  { controller, client }: Awaited<ReturnType<typeof connect>>,
  count: number,
): Promise<void> {
  const encoder = new TextEncoder();
  for (let n = 0; n < count; n++) {
    const received = new Promise((resolve) => client.once("data", resolve));
    controller.enqueue(encoder.encode(`data: ${n}\n\n`));
    await received;
  }
}

it("retains nothing of the messages that a stream has sent", async () => {
  const stream = await connect();
  await sendAll(stream, 20);
  const before = queryObjects(Promise, { format: "count" });
  await sendAll(stream, 1_000);
  expect(queryObjects(Promise, { format: "count" }) - before).toBeLessThan(200);
});

it("sends status, headers and the whole stream, and ends with it", async () => {
  const { client, controller } = await connect();
  expect([client.statusCode, client.headers["x-kept"]]).toEqual([200, "yes"]);
  // More than a socket buffers, so that the writer has to wait for the reader.
  const part = new Uint8Array(256 * 1024).fill(97);
  for (let n = 0; n < 40; n++) controller.enqueue(part);
  controller.close();
  let bytes = 0;
  for await (const chunk of client) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(40 * part.length);
});

it("cancels the stream when its client is gone, also in the middle of a large message", async () => {
  const { client, controller, cancelled } = await connect();
  controller.enqueue(new Uint8Array(32 * 1024 * 1024));
  client.destroy();
  await cancelled;
});
