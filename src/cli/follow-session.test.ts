import { afterEach, describe, expect, it } from "vitest";
import type { DrivenSession } from "../control/control-contract.ts";
import { drivenSession } from "./driven-session.testing.ts";
import { type AttachMessage, applyAttachMessage, followSession } from "./follow-session.ts";
import { openStreamServer, type StreamServer } from "./stream-server.testing.ts";

let server: StreamServer | undefined;
afterEach(() => server?.close());

const session = (seq: number): DrivenSession => drivenSession({ seq });
const envelope = (seq: number, epoch = "e1") => ({
  v: 1,
  epoch,
  sessionId: "s1",
  seq,
  ts: "2026-11-15T12:00:00.000Z",
  ...(seq === 0
    ? { type: "text.delta", text: "x" }
    : { type: "text", text: `${seq}`, messageId: null, parent: null, aborted: false, error: null }),
});

/** A short form of a message: its seqs, or its type. */
function summarize(message: AttachMessage): string {
  if (message.type === "snapshot") return `snapshot ${message.session.seq}`;
  if (message.type === "down") return "down";
  return `${message.envelope.seq}${message.isReplay ? " again" : ""}`;
}

async function take(stream: AsyncGenerator<AttachMessage>, count: number): Promise<string[]> {
  const messages: string[] = [];
  while (messages.length < count) messages.push(summarize((await stream.next()).value as AttachMessage));
  return messages;
}

describe("following a driven session", () => {
  it("resumes at its position after a lost connection and after a restart", async () => {
    const streams: (readonly [string, unknown][])[] = [
      [
        ["snapshot", session(2)],
        ["envelope", envelope(1)],
        ["envelope", envelope(2)],
        ["envelope", envelope(0)],
        ["envelope", envelope(3)],
      ],
      // What the client already has is not sent again.
      [
        ["snapshot", session(4)],
        ["envelope", envelope(3)],
        ["envelope", envelope(4, "e2")],
        ["envelope", envelope(5, "e2")],
      ],
    ];
    server = await openStreamServer((self) => {
      for (const [event, data] of streams[self.lastEventIds.length - 1] ?? []) self.send(event, data);
    });
    const stop = new AbortController();
    const stream = followSession(server.sock, "s1", { signal: stop.signal, retryMs: 10 });
    expect(await take(stream, 5)).toEqual(["snapshot 2", "1 again", "2 again", "0", "3"]);
    await server.down();
    expect(await take(stream, 1)).toEqual(["down"]);
    await server.up();
    let next = await take(stream, 1);
    while (next[0] === "down") next = await take(stream, 1);
    expect([...next, ...(await take(stream, 2))]).toEqual(["snapshot 4", "4 again", "5"]);
    expect(server.paths).toEqual([
      "/api/control/sessions/s1/attach?after=0",
      "/api/control/sessions/s1/attach?after=3",
    ]);
    stop.abort();
    expect((await stream.next()).done).toBe(true);
  });

  it("attaches again immediately after a gap", async () => {
    server = await openStreamServer((self) => {
      self.send("snapshot", session(9));
      self.send("envelope", envelope(self.lastEventIds.length));
      self.send("gap", { reason: "too_slow", after: self.lastEventIds.length });
      self.disconnectClients();
    });
    const stop = new AbortController();
    const stream = followSession(server.sock, "s1", { signal: stop.signal, retryMs: 60_000 });
    expect(await take(stream, 4)).toEqual(["snapshot 9", "1 again", "snapshot 9", "2 again"]);
    stop.abort();
  });

  it("fails with the daemon's error for an unknown session", async () => {
    server = await openStreamServer(() => undefined);
    server.refuse(404, { error: { code: "session_unknown", message: "there is no session s1" } });
    const stream = followSession(server.sock, "s1", { signal: new AbortController().signal });
    await expect(stream.next()).rejects.toMatchObject({ code: "session_unknown" });
  });
});

describe("a position", () => {
  const data = (value: unknown): string => JSON.stringify(value);
  const at = { after: 4, snapshotSeq: 4 };

  it("does not change for deltas, known envelopes or unknown messages", () => {
    expect(applyAttachMessage(at, { event: "envelope", data: data(envelope(0)) }).position).toEqual(at);
    expect(applyAttachMessage(at, { event: "envelope", data: data(envelope(3)) })).toEqual({
      position: at,
      message: null,
    });
    expect(applyAttachMessage(at, { event: "news", data: "{}" })).toEqual({ position: at, message: null });
  });

  it("is reset by a gap, as after the log lost its end", () => {
    const gap = data({ reason: "unknown_place", after: 0 });
    expect(applyAttachMessage(at, { event: "gap", data: gap }).position.after).toBe(0);
  });

  it("advances past a stored envelope of an unknown type", () => {
    const { position, message } = applyAttachMessage(at, {
      event: "envelope",
      data: data({ ...envelope(5), type: "new" }),
    });
    expect(position.after).toBe(5);
    expect(message).toMatchObject({ type: "envelope", envelope: { type: "new" } });
  });
});
