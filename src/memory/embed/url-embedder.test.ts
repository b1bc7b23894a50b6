import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Embedder } from "./embedder-contract.ts";
import { createUrlEmbedder, type UrlEmbedderOptions } from "./url-embedder.ts";

interface ReceivedRequest {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: { readonly model?: string; readonly input: readonly string[] };
}

type Respond = (requests: ReceivedRequest, response: ServerResponse, count: number) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** A real loopback server with scripted responses, and the requests it received. */
async function serve(respond: Respond, options: Partial<UrlEmbedderOptions> = {}, path = "/v1/embeddings") {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedRequest["body"];
    const received = { path: request.url!, key: request.headers.authorization, body };
    respond(received, response, requests.push(received));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = new URL(`${origin}${path}`);
  const embedder: Embedder = createUrlEmbedder({ url, model: "m", key: null, backOffMs: 5, ...options });
  return { embedder, requests: requests, origin, server };
}

/** Vectors that identify their text: [length, 1], not of length one, in the wrong order. */
const answerAll: Respond = ({ body }, response) => {
  const data = body.input.map((text, index) => ({ index, embedding: [text.length, 1] }));
  response.end(JSON.stringify({ data: data.reverse() }));
};

describe("createUrlEmbedder", () => {
  it("requests vectors with model and key, and normalises them in input order", async () => {
    const { embedder, requests } = await serve(answerAll, { key: "k" });
    expect(embedder.dimensions).toBeNull();
    const vectors = await embedder.embed(["", "four"]);
    expect(requests).toEqual([
      { path: "/v1/embeddings", key: "Bearer k", body: { model: "m", input: [" ", "four"] } },
    ]);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [expect.closeTo(Math.SQRT1_2), expect.closeTo(Math.SQRT1_2)],
      [expect.closeTo(4 / Math.sqrt(17)), expect.closeTo(1 / Math.sqrt(17))],
    ]);
    expect(embedder.dimensions).toBe(2);
    expect(embedder.isWarm()).toBe(true);
  });

  it("sends no key or model if there is none, and has a name without secrets", async () => {
    const { embedder, requests, origin } = await serve(
      answerAll,
      { model: null },
      "/v1/embeddings?api-version=1",
    );
    await embedder.embed(["a"]);
    expect(requests).toEqual([
      { path: "/v1/embeddings?api-version=1", key: undefined, body: { input: ["a"] } },
    ]);
    expect(embedder.name).toBe(`${new URL(origin).host}/v1/embeddings`);
  });

  it.each(["", "/", "/v1", "/v1/", "/v1/embeddings/"])("finds the endpoint of %j", async (path) => {
    const { embedder, requests } = await serve(answerAll, {}, path);
    await embedder.embed(["a"]);
    expect(requests[0]!.path).toBe("/v1/embeddings");
  });

  it("requests in batches, and truncates long texts", async () => {
    const { embedder, requests } = await serve(answerAll);
    const texts = Array.from({ length: 150 }, (_, index) => "x".repeat(index + 1));
    const vectors = await embedder.embed([...texts, "y".repeat(100_000)]);
    expect(vectors).toHaveLength(151);
    expect(vectors[149]![0]! / vectors[149]![1]!).toBeCloseTo(150, 1);
    expect(requests.map(({ body }) => body.input.length)).toEqual([64, 64, 23]);
    expect(requests[2]!.body.input.at(-1)).toHaveLength(6_000);
  });

  it.each([429, 500, 503])("retries after %i", async (status) => {
    const { embedder, requests } = await serve((received, response, count) => {
      if (count < 3) response.writeHead(status, { "retry-after": "0" }).end("busy");
      else answerAll(received, response, count);
    });
    expect(await embedder.embed(["a"])).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });

  it("gives up after four attempts, with the server's message", async () => {
    const { embedder, requests, origin } = await serve((_, response) =>
      response.writeHead(503).end("overloaded"),
    );
    await expect(embedder.embed(["a"])).rejects.toMatchObject({
      code: "embedder_failed",
      message: `${origin}/v1/embeddings: answered 503: overloaded`,
    });
    expect(requests).toHaveLength(4);
  });

  it("does not retry a permanent error", async () => {
    const { embedder, requests } = await serve((_, response) => response.writeHead(401).end("no such key"));
    await expect(embedder.embed(["a"])).rejects.toThrow("answered 401: no such key");
    expect(requests).toHaveLength(1);
  });

  it.each<[string, string]>([
    ["<html>", "the response has no data[].embedding"],
    ["{}", "the response has no data[].embedding"],
    [`{"data":[]}`, "returned 0 vectors for 1 texts"],
  ])("reports what is wrong with the response %s", async (answer, why) => {
    const { embedder } = await serve((_, response) => response.end(answer));
    await expect(embedder.embed(["a"])).rejects.toThrow(why);
  });

  it("rejects vectors of different dimensions", async () => {
    const { embedder } = await serve((_, response, count) => {
      response.end(JSON.stringify({ data: [{ embedding: count === 1 ? [1, 2] : [1, 2, 3] }] }));
    });
    await embedder.embed(["a"]);
    await expect(embedder.embed(["b"])).rejects.toThrow("vectors of 2 and of 3 dimensions");
  });

  it("follows no redirect to another server", async () => {
    const other = await serve(answerAll);
    const { embedder } = await serve((_, response) =>
      response.writeHead(307, { location: `${other.origin}/v1/embeddings` }).end(),
    );
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "embedder_failed" });
    expect(other.requests).toEqual([]);
  });

  it("reports a refused connection and a timeout", async () => {
    const { embedder, server } = await serve(answerAll);
    await new Promise((resolve) => server.close(resolve));
    await expect(embedder.embed(["a"])).rejects.toThrow(/ECONNREFUSED/);
    const unresponsive = await serve(() => {}, { timeoutMs: 50 });
    await expect(unresponsive.embedder.embed(["a"])).rejects.toThrow("no answer within 0.05 s");
  });

  it("aborts at once on its signal or when closed", async () => {
    const { embedder } = await serve((_, response) => response.writeHead(429, { "retry-after": "20" }).end());
    const controller = new AbortController();
    const pending = embedder.embed(["a"], { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("too late")), 50);
    await expect(pending).rejects.toThrow("too late");
    const closed = embedder.embed(["a"]);
    setTimeout(() => void embedder.close(), 50);
    await expect(closed).rejects.toMatchObject({ code: "embedder_closed" });
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "embedder_closed" });
  });
});
