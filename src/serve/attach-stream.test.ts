import fc from "fast-check";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { AttachGap, DrivenSession } from "../control/control-contract.ts";
import type { Envelope } from "../control/envelope.ts";
import { openAttachStream } from "./attach-stream.ts";
import type { ControlPorts } from "./control-ports.ts";
import { controlRoutes } from "./control-routes.ts";
import { createInMemoryDriven, type InMemoryDriven } from "./driven-sessions.testing.ts";
import { type Message, parseMessages } from "./stream-client.testing.ts";

async function open(): Promise<{ driven: InMemoryDriven; id: string; app: Hono }> {
  const driven = createInMemoryDriven();
  const { sessionId } = await driven.start({ cwd: "/x", mode: "default", fork: false, addDirs: [] });
  return {
    driven,
    id: sessionId,
    app: new Hono().route("/", controlRoutes({ driven } as unknown as ControlPorts)),
  };
}
const emitText = (driven: InMemoryDriven, id: string, text: string): void =>
  driven.emit(id, { type: "text", text, messageId: null, parent: null, aborted: false, error: null });
const delta = (driven: InMemoryDriven, id: string, text: string): void =>
  driven.emit(id, { type: "text.delta", text });

/** Messages as they are read. `next` is undefined at the end. */
function createReader(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const waiting: Message[] = [];
  let rest = "";
  return {
    async next(): Promise<Message | undefined> {
      while (waiting.length === 0) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        const read = parseMessages(rest + decoder.decode(value, { stream: true }));
        rest = read.rest;
        waiting.push(...read.messages);
      }
      return waiting.shift();
    },
    disconnect: () => reader.cancel(),
  };
}
const bodyOf = async (response: Response | Promise<Response>) => createReader((await response).body!);
const seqOf = (message: Message | undefined): number => (message!.data as Envelope).seq;

describe("attaching", () => {
  it("sends a snapshot, then stored envelopes with ids, then new ones; deltas have no id", async () => {
    const { driven, id, app } = await open();
    emitText(driven, id, "one");
    const client = await bodyOf(app.request(`/api/control/sessions/${id}/attach`));
    const snapshot = (await client.next())!;
    expect(snapshot).toMatchObject({ event: "snapshot", id: undefined, data: { sessionId: id, seq: 2 } });
    expect(await client.next()).toMatchObject({ event: "envelope", id: "e1-1", data: { type: "state" } });
    expect(await client.next()).toMatchObject({ id: "e1-2", data: { type: "text", text: "one" } });
    delta(driven, id, "tw");
    expect(await client.next()).toMatchObject({
      event: "envelope",
      id: undefined,
      data: { text: "tw", seq: 0 },
    });
    emitText(driven, id, "two");
    expect(await client.next()).toMatchObject({ id: "e1-3", data: { text: "two" } });
    expect(driven.listeners()).toBe(1);
    await client.disconnect();
    expect(driven.listeners()).toBe(0);
  });

  it("resumes after a position, from the query or the newer header", async () => {
    const { driven, id, app } = await open();
    for (const text of ["a", "b", "c"]) emitText(driven, id, text);
    for (const [query, headers, first] of [
      ["?after=2", {}, 3],
      ["", { "last-event-id": "e0-3" }, 4],
      ["?after=1", { "last-event-id": "e1-2" }, 3],
      ["?after=3", { "last-event-id": "nonsense" }, 4],
    ] as const) {
      const client = await bodyOf(app.request(`/api/control/sessions/${id}/attach${query}`, { headers }));
      expect((await client.next())?.event).toBe("snapshot");
      expect(seqOf(await client.next())).toBe(first);
      await client.disconnect();
    }
  });

  it("is refused for an unknown session or an invalid position", async () => {
    const { id, app } = await open();
    const unknown = await app.request("/api/control/sessions/nope/attach");
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { error: { code: "session_unknown" } },
    ]);
    for (const after of ["x", "-1", "1.5"]) {
      const response = await app.request(`/api/control/sessions/${id}/attach?after=${after}`);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: { code: "query_invalid" } },
      ]);
    }
  });

  it("attaches no listener for a HEAD request", async () => {
    const { driven, id, app } = await open();
    expect((await app.request(`/api/control/sessions/${id}/attach`, { method: "HEAD" })).status).toBe(200);
    expect(driven.listeners()).toBe(0);
  });

  it("sends a gap to a client with an impossible position, which starts over", async () => {
    const { driven, id } = await open();
    const client = createReader(await openAttachStream(driven, id, 99));
    expect((await client.next())?.event).toBe("snapshot");
    expect(await client.next()).toEqual({
      event: "gap",
      id: "e1-0",
      data: { reason: "unknown_place", after: 0 } satisfies AttachGap,
    });
    expect(await client.next()).toBeUndefined();
    expect(driven.listeners()).toBe(0);
  });
});

describe("a client that does not read", () => {
  it("gets queued envelopes in order, then a gap, within its byte limit", async () => {
    const { driven, id } = await open();
    const client = createReader(await openAttachStream(driven, id, 1, { maxBytes: 2_000 }));
    for (let i = 0; i < 100; i++) emitText(driven, id, "x".repeat(100));
    expect(driven.listeners()).toBe(0);
    expect((await client.next())?.event).toBe("snapshot");
    let message = await client.next();
    let last = 1;
    for (; message?.event === "envelope"; message = await client.next()) {
      expect(seqOf(message)).toBe(last + 1);
      last = seqOf(message);
    }
    expect(last).toBeLessThan(12);
    expect(message).toMatchObject({ event: "gap", id: undefined, data: { reason: "too_slow", after: last } });
    expect(await client.next()).toBeUndefined();
  });

  it("gets past an envelope larger than its limit", async () => {
    const { driven, id } = await open();
    emitText(driven, id, "x".repeat(9_000));
    emitText(driven, id, "after");
    const client = createReader(await openAttachStream(driven, id, 1, { maxBytes: 2_000 }));
    expect((await client.next())?.event).toBe("snapshot");
    expect(seqOf(await client.next())).toBe(2);
    expect(await client.next()).toMatchObject({ event: "gap", data: { after: 2 } });
  });

  it("gets queued deltas merged into one", async () => {
    const { driven, id } = await open();
    const client = createReader(await openAttachStream(driven, id, 1));
    for (const text of ["a", "b", "c"]) delta(driven, id, text);
    expect((await client.next())?.event).toBe("snapshot");
    expect((await client.next())?.data).toMatchObject({ type: "text.delta", text: "abc" });
    await client.disconnect();
  });

  it("gets a heartbeat when there is nothing to send", async () => {
    const { driven, id } = await open();
    const reader = (await openAttachStream(driven, id, 1, { heartbeatMs: 10 })).getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect([await read(), (await read()).split("\n")[0]]).toEqual(["retry: 1000\n\n", "event: snapshot"]);
    expect(await read()).toBe(":\n\n");
    await reader.cancel();
  });
});

it("loses and repeats nothing, however often a client reconnects", async () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant("say" as const), chars: fc.integer({ min: 0, max: 400 }) }),
    fc.record({ type: fc.constant("delta" as const), chars: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ type: fc.constant("read" as const), count: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ type: fc.constant("leave" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { driven, id } = await open();
      const seen: Envelope[] = [];
      let client: ReturnType<typeof createReader> | undefined;
      /** Reads one of the messages that the snapshot and the queue are known to hold. */
      const readMessage = async (): Promise<void> => {
        client ??= createReader(
          await openAttachStream(driven, id, seen.at(-1)?.seq ?? 0, { maxBytes: 1_500 }),
        );
        const message = await client.next();
        if (message === undefined) client = undefined;
        else if (message.event === "snapshot") expect((message.data as DrivenSession).sessionId).toBe(id);
        else if (message.event === "gap")
          expect((message.data as AttachGap).after).toBe(seen.at(-1)?.seq ?? 0);
        else if (seqOf(message) > 0) seen.push(message.data as Envelope);
      };
      const isBehind = (): boolean => (seen.at(-1)?.seq ?? 0) < driven.envelopes(id).length;
      for (const action of steps) {
        if (action.type === "say") emitText(driven, id, "x".repeat(action.chars));
        else if (action.type === "delta") delta(driven, id, "y".repeat(action.chars));
        else if (action.type === "leave") {
          await client?.disconnect();
          client = undefined;
        } else for (let i = 0; i < action.count && isBehind(); i++) await readMessage();
      }
      while (isBehind()) await readMessage();
      await client?.disconnect();
      expect(seen).toEqual(driven.envelopes(id));
      expect(driven.listeners()).toBe(0);
    }),
    { numRuns: 200 },
  );
});
