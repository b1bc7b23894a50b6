import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionSnapshot } from "../monitor/session-snapshot.ts";
import { createSessionStream, type SessionStream, type SessionStreamOptions } from "./session-stream.ts";
import { snapshotOf } from "./snapshot.testing.ts";
import { applyMessage, type Message, parseMessages, type Sessions } from "./stream-client.testing.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function streamOf(options: Partial<SessionStreamOptions> = {}): SessionStream {
  return createSessionStream({ epoch: "e1", nowMs: Date.now, ...options });
}

function listen(stream: SessionStream, lastEventId?: string) {
  const state = { text: "", wakes: 0, isEnded: false };
  const subscription = stream.subscribe({
    lastEventId,
    wake: () => {
      state.wakes += 1;
    },
    end: () => {
      state.isEnded = true;
    },
  });
  const decoder = new TextDecoder();
  /** The messages so far, or the next few. */
  const read = (maxMessages = Number.POSITIVE_INFINITY): Message[] => {
    let text = "";
    for (let count = 0; count < maxMessages; count++) {
      const bytes = subscription.next();
      if (bytes === undefined) break;
      text += decoder.decode(bytes);
    }
    state.text += text;
    return parseMessages(text).messages;
  };
  return { state, read, subscription, close: () => subscription.close() };
}

const ids = (messages: readonly Message[]): (string | undefined)[] => messages.map(({ id }) => id);
const events = (messages: readonly Message[]): string[] => messages.map(({ event }) => event);
const sets = (messages: readonly Message[]): unknown[] =>
  messages.map(({ data }) => (data as { set: unknown }).set);

describe("a client connected from the start", () => {
  it("gets the retry delay and the full state", () => {
    const stream = streamOf();
    stream.publish(snapshotOf("a"));
    const client = listen(stream);
    expect(client.read()).toEqual([{ event: "reset", id: "e1-1", data: { sessions: [snapshotOf("a")] } }]);
    expect(client.state.text).toMatch(/^retry: 1000\n\nid: e1-1\nevent: reset\ndata: \{.*\}\n\n$/);
  });

  it("gets all fields of a new session, then only changed ones, compared deeply", () => {
    const stream = streamOf();
    const client = listen(stream);
    client.read();
    stream.publish(snapshotOf("a"));
    vi.advanceTimersByTime(1_000);
    stream.publish(snapshotOf("a"));
    stream.publish(snapshotOf("a", { tokens: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 } }));
    const messages = client.read();
    expect(ids(messages)).toEqual(["e1-1", "e1-2"]);
    expect(sets(messages)).toEqual([
      snapshotOf("a"),
      { tokens: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 } },
    ]);
  });

  it("is woken once for messages that arrive while it waits", () => {
    const stream = streamOf();
    const client = listen(stream);
    client.read();
    for (const id of ["a", "b", "c"]) stream.publish(snapshotOf(id));
    expect(client.state.wakes).toBe(1);
    expect(client.read()).toHaveLength(3);
  });

  it("gets a heartbeat every 15 s, unless it does not read", () => {
    const stream = streamOf();
    const [reader, idleClient] = [listen(stream), listen(stream)];
    reader.read();
    for (let beats = 1; beats <= 3; beats++) {
      vi.advanceTimersByTime(15_000);
      reader.read();
      expect(reader.state.text.match(/^event: beat$/gm)).toHaveLength(beats);
    }
    expect(idleClient.state.wakes).toBe(0);
  });

  it("ends when the stream closes, as does one that connects later", () => {
    const stream = streamOf();
    const client = listen(stream);
    client.read();
    stream.close();
    stream.publish(snapshotOf("a"));
    expect(client.state.isEnded).toBe(true);
    expect(client.subscription.next()).toBeUndefined();
    expect(listen(stream).state.isEnded).toBe(true);
    expect(stream.stats().clients).toBe(0);
  });
});

describe("a change of cards", () => {
  it("is sent immediately, in order with patches, and again to clients that missed it", () => {
    const stream = streamOf();
    const client = listen(stream);
    client.read();
    stream.publish(snapshotOf("a"));
    stream.publishCardsChanged("a");
    stream.publishCardsChanged("a");
    const messages = client.read();
    expect(messages.map(({ event, id }) => [event, id])).toEqual([
      ["patch", "e1-1"],
      ["cards", "e1-2"],
      ["cards", "e1-3"],
    ]);
    expect(messages.at(-1)!.data).toEqual({ sessionId: "a" });
    expect(events(listen(stream, "e1-2").read())).toEqual(["cards"]);
    expect(ids(listen(stream).read())).toEqual(["e1-3"]);
  });

  it("is covered by the reset for a client that starts over", () => {
    const stream = streamOf({ ringSize: 2 });
    for (const id of ["a", "b", "c"]) stream.publishCardsChanged(id);
    expect(events(listen(stream, "e1-0").read())).toEqual(["gap", "reset"]);
    expect(events(listen(stream, "e0-3").read())).toEqual(["gap", "reset"]);
  });
});

describe("patches of one session", () => {
  it("come immediately, then at most every 200 ms with the newest values", () => {
    const stream = streamOf();
    const client = listen(stream);
    stream.publish(snapshotOf("a"));
    client.read();
    const sentAt: number[] = [];
    for (let ms = 0; ms < 3_000; ms += 10) {
      stream.publish(snapshotOf("a", { toolCount: ms + 1 }));
      for (const message of client.read()) {
        sentAt.push(Date.now());
        expect(sets([message])).toEqual([{ toolCount: expect.any(Number) }]);
      }
      vi.advanceTimersByTime(10);
    }
    for (const [index, ms] of sentAt.slice(1).entries())
      expect(ms - sentAt[index]!).toBeGreaterThanOrEqual(200);
    expect(sentAt.length).toBeGreaterThanOrEqual(14);
    vi.advanceTimersByTime(200);
    expect(sets(client.read()).at(-1)).toEqual({ toolCount: 2_991 });
  });

  it("do not delay those of another", () => {
    const stream = streamOf();
    const client = listen(stream);
    client.read();
    stream.publish(snapshotOf("a"));
    stream.publish(snapshotOf("b"));
    expect(client.read()).toHaveLength(2);
  });

  it("delay the time of the last event, but no relevant change", () => {
    const stream = streamOf();
    stream.publish(snapshotOf("a"));
    const client = listen(stream);
    client.read();
    vi.advanceTimersByTime(1_000);
    const later = { lastEventAtIso: "2026-01-01T00:00:01.000Z" };
    stream.publish(snapshotOf("a", later));
    expect(client.read()).toEqual([]);
    vi.advanceTimersByTime(50);
    stream.publish(snapshotOf("a", { ...later, needsPerson: true }));
    expect(sets(client.read())).toEqual([{ needsPerson: true, ...later }]);
    vi.advanceTimersByTime(1_000);
    stream.publish(snapshotOf("a", { needsPerson: true }));
    vi.advanceTimersByTime(200);
    expect(sets(client.read())).toEqual([{ lastEventAtIso: snapshotOf("a").lastEventAtIso }]);
  });

  it("are not delayed by a clock that was set back", () => {
    let now = 10_000_000;
    const stream = streamOf({ nowMs: () => now });
    stream.publish(snapshotOf("a"));
    const client = listen(stream);
    client.read();
    now -= 3_600_000;
    stream.publish(snapshotOf("a", { turnCount: 2 }));
    expect(client.read()).toHaveLength(1);
  });

  it("start with all fields again after the session was dropped", () => {
    const stream = streamOf();
    stream.publish(snapshotOf("a"));
    const client = listen(stream);
    client.read();
    stream.drop("a");
    stream.drop("nobody");
    expect(client.read()).toEqual([]);
    expect(listen(stream).read()).toMatchObject([{ data: { sessions: [] } }]);
    stream.publish(snapshotOf("a"));
    expect(sets(client.read())).toEqual([snapshotOf("a")]);
  });

  it("include the last change of a session that is dropped before it was sent", () => {
    const stream = streamOf();
    stream.publish(snapshotOf("a"));
    const client = listen(stream);
    client.read();
    stream.publish(snapshotOf("a", { state: "completed" }));
    stream.drop("a");
    expect(sets(client.read())).toEqual([{ state: "completed" }]);
    vi.advanceTimersByTime(1_000);
    expect(client.read()).toEqual([]);
    expect(listen(stream).read()).toMatchObject([{ data: { sessions: [] } }]);
  });
});

describe("a client that reconnects", () => {
  const publishMany = (stream: SessionStream, count: number): void => {
    for (let n = 0; n < count; n++) stream.publish(snapshotOf(`s${n}`));
  };

  it("gets exactly the messages after its last id", () => {
    const stream = streamOf();
    publishMany(stream, 5);
    expect(ids(listen(stream, "e1-2").read())).toEqual(["e1-3", "e1-4", "e1-5"]);
    expect(listen(stream, "e1-5").read()).toEqual([]);
    expect(ids(listen(stream, "e1-0").read())).toHaveLength(5);
  });

  it.each(["e0-2", "e1-6", "e1-99999999999999999999", "nonsense", "e1-"])(
    "with %s, an id of another run, gets a restart gap and the full state",
    (id) => {
      const stream = streamOf();
      publishMany(stream, 5);
      const messages = listen(stream, id).read();
      expect(messages[0]).toEqual({ event: "gap", id: undefined, data: { reason: "restarted" } });
      expect(messages[1]).toMatchObject({ event: "reset", id: "e1-5" });
      expect(messages).toHaveLength(2);
    },
  );

  it("after too long gets a gap and the full state", () => {
    const stream = streamOf({ ringSize: 3 });
    publishMany(stream, 5);
    expect(events(listen(stream, "e1-2").read())).toEqual(["patch", "patch", "patch"]);
    expect(listen(stream, "e1-1").read()).toMatchObject([
      { event: "gap", data: { reason: "too_old" } },
      { event: "reset", id: "e1-5" },
    ]);
    expect(stream.stats().gaps).toBe(1);
  });

  it("finds at most the retained bytes of patches, and always the newest", () => {
    const stream = streamOf({ ringBytes: 10_000 });
    stream.publish(snapshotOf("a", { lastUserMessage: "x".repeat(20_000) }));
    expect(events(listen(stream, "e1-0").read())).toEqual(["patch"]);
    stream.publish(snapshotOf("b"));
    expect(events(listen(stream, "e1-0").read())).toEqual(["gap", "reset"]);
    expect(events(listen(stream, "e1-1").read())).toEqual(["patch"]);
  });
});

describe("a client that reads too slowly", () => {
  it("gets a gap and the full state when it reads again, then continues", () => {
    const stream = streamOf({ ringSize: 3 });
    const client = listen(stream);
    client.read();
    for (const id of ["a", "b", "c", "d"]) stream.publish(snapshotOf(id));
    expect(client.read()).toMatchObject([
      { event: "gap", data: { reason: "too_slow" } },
      { event: "reset", id: "e1-4", data: { sessions: [{}, {}, {}, {}] } },
    ]);
    stream.publish(snapshotOf("e"));
    expect(ids(client.read())).toEqual(["e1-5"]);
  });

  it("shares the same bytes as all clients", () => {
    const stream = streamOf();
    stream.publish(snapshotOf("a"));
    const resets = Array.from({ length: 3 }, () => {
      const { subscription } = listen(stream);
      subscription.next();
      return subscription.next();
    });
    expect(new Set(resets).size).toBe(1);
    stream.publish(snapshotOf("b"));
    const patches = ["e1-1", "e1-1"].map((id) => {
      const { subscription } = listen(stream, id);
      subscription.next();
      return subscription.next();
    });
    expect(patches[0]).toBeInstanceOf(Uint8Array);
    expect(patches[0]).toBe(patches[1]);
  });
});

describe("a page of sessions", () => {
  it("that showed a value reverted before it was sent is corrected", () => {
    const stream = streamOf();
    stream.publish(snapshotOf("a"));
    stream.publish(snapshotOf("a", { needsPerson: true, turnCount: 2 }));
    const page: Sessions = new Map([["a", snapshotOf("a", { needsPerson: true, turnCount: 2 })]]);
    const client = listen(stream, stream.position());
    stream.publish(snapshotOf("a", { turnCount: 2 }));
    vi.advanceTimersByTime(200);
    for (const message of client.read()) applyMessage(page, message);
    expect(page.get("a")).toEqual(snapshotOf("a", { turnCount: 2 }));
  });
});

type Action =
  | { readonly type: "publish"; readonly session: string; readonly change: Partial<SessionSnapshot> }
  | { readonly type: "drop"; readonly session: string }
  | { readonly type: "pass"; readonly ms: number }
  | { readonly type: "page"; readonly client: number }
  | { readonly type: "read"; readonly client: number; readonly most: number }
  | { readonly type: "leave" | "join"; readonly client: number };

const session = fc.constantFrom("a", "b", "c");
const client = fc.nat(2);
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("publish" as const),
      session,
      change: fc.record(
        {
          turnCount: fc.nat(2),
          needsPerson: fc.boolean(),
          tokens: fc.record({
            input: fc.nat(1),
            output: fc.nat(1),
            cacheRead: fc.nat(1),
            cacheWrite: fc.nat(1),
          }),
          lastEventAtIso: fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z"),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("drop" as const), session }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("pass" as const), ms: fc.nat(300) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("page" as const), client }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("read" as const), client, most: fc.nat(6) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom("leave" as const, "join" as const), client }) },
);

describe("any order of changes, pages, disconnects and resumes", () => {
  it("ends with every client in the server's state, with each patch received once and in order", () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 120 }), fc.constantFrom(4, 64), (actions, ringSize) => {
        const stream = streamOf({ ringSize });
        const server: Sessions = new Map();
        const clients = Array.from({ length: 3 }, () => createClient(stream));
        for (const action of actions) {
          switch (action.type) {
            case "publish": {
              const next = {
                ...(server.get(action.session) ?? snapshotOf(action.session)),
                ...action.change,
              };
              server.set(action.session, next);
              stream.publish(next);
              break;
            }
            case "drop":
              server.delete(action.session);
              stream.drop(action.session);
              break;
            case "pass":
              vi.advanceTimersByTime(action.ms);
              break;
            case "page":
              clients[action.client]!.loadPage(server);
              break;
            case "read":
              clients[action.client]!.read(action.most);
              break;
            case "leave":
              clients[action.client]!.leave();
              break;
            case "join":
              clients[action.client]!.connect();
              break;
            default:
              action satisfies never;
          }
        }
        vi.advanceTimersByTime(1_000);
        for (const action of clients) {
          action.connect();
          action.read();
          // A client keeps a dropped session until the next reset.
          for (const [id, snapshot] of server) expect(action.sessions.get(id)).toEqual(snapshot);
        }
        stream.close();
      }),
      { numRuns: 300 },
    );
  });
});

function createClient(stream: SessionStream) {
  const sessions: Sessions = new Map();
  let lastEventId: string | undefined;
  let connection: ReturnType<typeof listen> | undefined;
  const disconnect = (): void => {
    connection?.close();
    connection = undefined;
  };
  return {
    sessions,
    leave: disconnect,
    connect: () => {
      connection ??= listen(stream, lastEventId);
    },
    /** Replaces its state with the page, and continues from there. */
    loadPage: (server: Sessions): void => {
      disconnect();
      lastEventId = stream.position();
      sessions.clear();
      for (const [id, snapshot] of server) sessions.set(id, snapshot);
    },
    read: (maxMessages?: number): void => {
      for (const message of connection?.read(maxMessages) ?? []) {
        if (message.event === "patch" && lastEventId !== undefined) {
          expect(seqOf(message.id)).toBe(seqOf(lastEventId) + 1);
        }
        applyMessage(sessions, message);
        lastEventId = message.id ?? lastEventId;
      }
    },
  };
}

function seqOf(id: string | undefined): number {
  return Number(id?.split("-")[1]);
}
