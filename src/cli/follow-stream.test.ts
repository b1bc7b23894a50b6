import { afterEach, describe, expect, it } from "vitest";
import { applyStreamMessage, followStream, type StreamMessage } from "./follow-stream.ts";
import { snapshot } from "./snapshot.testing.ts";
import { openStreamServer, type StreamServer } from "./stream-server.testing.ts";

let server: StreamServer;
afterEach(() => server.close());

async function take(stream: AsyncGenerator<StreamMessage>, count: number): Promise<StreamMessage[]> {
  const messages: StreamMessage[] = [];
  while (messages.length < count) messages.push((await stream.next()).value as StreamMessage);
  return messages;
}

describe("following the stream", () => {
  it("yields a reset, patches and disconnects, and resumes after the last id", async () => {
    const session = snapshot({ sessionId: "one" });
    server = await openStreamServer((self) => {
      if (self.lastEventIds.length === 1) self.send("reset", { sessions: [session] }, "e1-1");
      self.send("patch", { sessionId: "one", set: { turnCount: 13 } }, "e1-2");
    });
    const stop = new AbortController();
    const stream = followStream(server.sock, { signal: stop.signal, retryMs: 10 });
    const [reset, patch] = await take(stream, 2);
    expect(reset).toEqual({ type: "reset", sessions: [session] });
    expect(patch).toEqual({ type: "patch", sessionId: "one", set: { turnCount: 13 } });
    await server.down();
    expect(await take(stream, 1)).toEqual([{ type: "down" }]);
    await server.up();
    let again = await take(stream, 1);
    while (again[0]!.type === "down") again = await take(stream, 1);
    expect(again).toEqual([patch]);
    expect(server.lastEventIds).toEqual([undefined, "e1-2"]);
    stop.abort();
    expect((await stream.next()).done).toBe(true);
  });

  it("treats a daemon that is silent for too long as down", async () => {
    server = await openStreamServer(() => undefined);
    const stop = new AbortController();
    const stream = followStream(server.sock, { signal: stop.signal, retryMs: 5, silenceMs: 50 });
    expect(await take(stream, 1)).toEqual([{ type: "down" }]);
    stop.abort();
  });
});

describe("the sessions after a message", () => {
  it("are those of a reset, with a patch's fields applied", () => {
    const before = applyStreamMessage(new Map(), {
      type: "reset",
      sessions: [snapshot({ sessionId: "one" }), snapshot({ sessionId: "two" })],
    });
    const after = applyStreamMessage(before, { type: "patch", sessionId: "two", set: { turnCount: 99 } });
    expect(after.get("two")).toEqual(snapshot({ sessionId: "two", turnCount: 99 }));
    expect(before.get("two")!.turnCount).toBe(12);
    expect(applyStreamMessage(after, { type: "down" })).toBe(after);
  });

  it("exclude a session that is only partly known", () => {
    const patch = { type: "patch", sessionId: "new", set: { turnCount: 1 } } as const;
    expect(applyStreamMessage(new Map(), patch).size).toBe(0);
    const complete = { type: "patch", sessionId: "new", set: snapshot({ sessionId: "new" }) } as const;
    expect(applyStreamMessage(new Map(), complete).size).toBe(1);
  });
});
