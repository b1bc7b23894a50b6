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
  const heard = { text: "", wakes: 0, isEnded: false };
  const subscription = stream.subscribe({
    lastEventId,
    wake: () => {
      heard.wakes += 1;
    },
    end: () => {
      heard.isEnded = true;
    },
  });
  const decoder = new TextDecoder();
  /** The messages so far, or the next few. */
  const read = (most = Number.POSITIVE_INFINITY): Message[] => {
    let text = "";
    for (let count = 0; count < most; count++) {
      const bytes = subscription.next();
      if (bytes === undefined) break;
      text += decoder.decode(bytes);
    }
    heard.text += text;
    return parseMessages(text).messages;
  };
  return { heard, read, subscription, close: () => subscription.close() };
}

const ids = (messages: readonly Message[]): (string | undefined)[] => messages.map(({ id }) => id);
const events = (messages: readonly Message[]): string[] => messages.map(({ event }) => event);
const sets = (messages: readonly Message[]): unknown[] =>
  messages.map(({ data }) => (data as { set: unknown }).set);

describe("a client that was there from the start", () => {
  it("is told how soon to come back, and everything there is", () => {
    const stream = streamOf();
    stream.publish(snapshotOf("a"));
    const client = listen(stream);
    expect(client.read()).toEqual([{ event: "reset", id: "e1-1", data: { sessions: [snapshotOf("a")] } }]);
    expect(client.heard.text).toMatch(/^retry: 1000\n\nid: e1-1\nevent: reset\ndata: \{.*\}\n\n$/);
  });

  it("gets all fields of a new session, then only what changed, compared in depth", () => {
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

  it("is woken once for what came while it had nothing to read", () => {
    const stream = streamOf();
    const client = listen(stream);
    client.read();
    for (const id of ["a", "b", "c"]) stream.publish(snapshotOf(id));
    expect(client.heard.wakes).toBe(1);
    expect(client.read()).toHaveLength(3);
  });

  it("hears a heartbeat every 15 s, unless it does not read", () => {
    const stream = streamOf();
    const [reader, sleeper] = [listen(stream), listen(stream)];
    reader.read();
    for (let beats = 1; beats <= 3; beats++) {
      vi.advanceTimersByTime(15_000);
      reader.read();
      expect(reader.heard.text.match(/^event: beat$/gm)).toHaveLength(beats);
    }
    expect(sleeper.heard.wakes).toBe(0);
  });

  it("is ended when the stream closes, and so is one that comes later", () => {
    const stream = streamOf();
    const client = listen(stream);
    client.read();
    stream.close();
    stream.publish(snapshotOf("a"));
    expect(client.heard.isEnded).toBe(true);
    expect(client.subscription.next()).toBeUndefined();
    expect(listen(stream).heard.isEnded).toBe(true);
    expect(stream.stats().clients).toBe(0);
  });
});

describe("that cards changed", () => {
  it("is told at once, in its place between the patches, and again to who missed it", () => {
    const stream = streamOf();
    const client = listen(stream);
    client.read();
    stream.publish(snapshotOf("a"));
    stream.publishCardsChanged("a");
    stream.publishCardsChanged("a");
    const told = client.read();
    expect(told.map(({ event, id }) => [event, id])).toEqual([
      ["patch", "e1-1"],
      ["cards", "e1-2"],
      ["cards", "e1-3"],
    ]);
    expect(told.at(-1)!.data).toEqual({ sessionId: "a" });
    expect(events(listen(stream, "e1-2").read())).toEqual(["cards"]);
    expect(ids(listen(stream).read())).toEqual(["e1-3"]);
  });

  it("is known to who begins anew by the reset alone", () => {
    const stream = streamOf({ ringSize: 2 });
    for (const id of ["a", "b", "c"]) stream.publishCardsChanged(id);
    expect(events(listen(stream, "e1-0").read())).toEqual(["gap", "reset"]);
    expect(events(listen(stream, "e0-3").read())).toEqual(["gap", "reset"]);
  });
});

describe("patches of one session", () => {
  it("come at once, then at most every 200 ms with the newest values", () => {
    const stream = streamOf();
    const client = listen(stream);
    stream.publish(snapshotOf("a"));
    client.read();
    const at: number[] = [];
    for (let ms = 0; ms < 3_000; ms += 10) {
      stream.publish(snapshotOf("a", { toolCount: ms + 1 }));
      for (const message of client.read()) {
        at.push(Date.now());
        expect(sets([message])).toEqual([{ toolCount: expect.any(Number) }]);
      }
      vi.advanceTimersByTime(10);
    }
    for (const [index, ms] of at.slice(1).entries()) expect(ms - at[index]!).toBeGreaterThanOrEqual(200);
    expect(at.length).toBeGreaterThanOrEqual(14);
    vi.advanceTimersByTime(200);
    expect(sets(client.read()).at(-1)).toEqual({ toolCount: 2_991 });
  });

  it("do not hold up those of another", () => {
    const stream = streamOf();
    const client = listen(stream);
    client.read();
    stream.publish(snapshotOf("a"));
    stream.publish(snapshotOf("b"));
    expect(client.read()).toHaveLength(2);
  });

  it("let the time of the last event wait, but nothing that matters", () => {
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

  it("are not held up by a clock that was set back", () => {
    let now = 10_000_000;
    const stream = streamOf({ nowMs: () => now });
    stream.publish(snapshotOf("a"));
    const client = listen(stream);
    client.read();
    now -= 3_600_000;
    stream.publish(snapshotOf("a", { turnCount: 2 }));
    expect(client.read()).toHaveLength(1);
  });

  it("begin with all fields again after the session was dropped", () => {
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

  it("lose nothing of a session that is dropped before its last change was sent", () => {
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

describe("a client that comes back", () => {
  const publishMany = (stream: SessionStream, count: number): void => {
    for (let n = 0; n < count; n++) stream.publish(snapshotOf(`s${n}`));
  };

  it("gets exactly what came after its last id", () => {
    const stream = streamOf();
    publishMany(stream, 5);
    expect(ids(listen(stream, "e1-2").read())).toEqual(["e1-3", "e1-4", "e1-5"]);
    expect(listen(stream, "e1-5").read()).toEqual([]);
    expect(ids(listen(stream, "e1-0").read())).toHaveLength(5);
  });

  it.each(["e0-2", "e1-6", "e1-99999999999999999999", "nonsense", "e1-"])(
    "with %s, which is not of this life, is told of a restart and gets everything",
    (id) => {
      const stream = streamOf();
      publishMany(stream, 5);
      const messages = listen(stream, id).read();
      expect(messages[0]).toEqual({ event: "gap", id: undefined, data: { reason: "restarted" } });
      expect(messages[1]).toMatchObject({ event: "reset", id: "e1-5" });
      expect(messages).toHaveLength(2);
    },
  );

  it("after too long is told so and gets everything", () => {
    const stream = streamOf({ ringSize: 3 });
    publishMany(stream, 5);
    expect(events(listen(stream, "e1-2").read())).toEqual(["patch", "patch", "patch"]);
    expect(listen(stream, "e1-1").read()).toMatchObject([
      { event: "gap", data: { reason: "too_old" } },
      { event: "reset", id: "e1-5" },
    ]);
    expect(stream.stats().gaps).toBe(1);
  });

  it("finds no more bytes of patches than may be kept, and always the newest", () => {
    const stream = streamOf({ ringBytes: 10_000 });
    stream.publish(snapshotOf("a", { lastUserMessage: "x".repeat(20_000) }));
    expect(events(listen(stream, "e1-0").read())).toEqual(["patch"]);
    stream.publish(snapshotOf("b"));
    expect(events(listen(stream, "e1-0").read())).toEqual(["gap", "reset"]);
    expect(events(listen(stream, "e1-1").read())).toEqual(["patch"]);
  });
});

describe("a client that reads too slowly", () => {
  it("is told so when it reads again, gets everything, and goes on from there", () => {
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

  it("shares the bytes of everybody else", () => {
    const stream = streamOf();
    stream.publish(snapshotOf("a"));
    const taken = Array.from({ length: 3 }, () => {
      const { subscription } = listen(stream);
      subscription.next();
      return subscription.next();
    });
    expect(new Set(taken).size).toBe(1);
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
  it("that showed a value which was taken back before it was sent is set right", () => {
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

type Act =
  | { readonly type: "publish"; readonly session: string; readonly change: Partial<SessionSnapshot> }
  | { readonly type: "drop"; readonly session: string }
  | { readonly type: "pass"; readonly ms: number }
  | { readonly type: "page"; readonly client: number }
  | { readonly type: "read"; readonly client: number; readonly most: number }
  | { readonly type: "leave" | "join"; readonly client: number };

const session = fc.constantFrom("a", "b", "c");
const client = fc.nat(2);
const act: fc.Arbitrary<Act> = fc.oneof(
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

describe("any order of changes, pages, breaks and resumes", () => {
  it("ends with every client knowing what the server knows, and every patch heard once and in order", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 120 }), fc.constantFrom(4, 64), (acts, ringSize) => {
        const stream = streamOf({ ringSize });
        const server: Sessions = new Map();
        const clients = Array.from({ length: 3 }, () => createClient(stream));
        for (const one of acts) {
          switch (one.type) {
            case "publish": {
              const next = { ...(server.get(one.session) ?? snapshotOf(one.session)), ...one.change };
              server.set(one.session, next);
              stream.publish(next);
              break;
            }
            case "drop":
              server.delete(one.session);
              stream.drop(one.session);
              break;
            case "pass":
              vi.advanceTimersByTime(one.ms);
              break;
            case "page":
              clients[one.client]!.takePage(server);
              break;
            case "read":
              clients[one.client]!.read(one.most);
              break;
            case "leave":
              clients[one.client]!.leave();
              break;
            case "join":
              clients[one.client]!.join();
              break;
            default:
              one satisfies never;
          }
        }
        vi.advanceTimersByTime(1_000);
        for (const one of clients) {
          one.join();
          one.read();
          // A client keeps a dropped session until the next reset.
          for (const [id, snapshot] of server) expect(one.sessions.get(id)).toEqual(snapshot);
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
  let joined: ReturnType<typeof listen> | undefined;
  const leave = (): void => {
    joined?.close();
    joined = undefined;
  };
  return {
    sessions,
    leave,
    join: () => {
      joined ??= listen(stream, lastEventId);
    },
    /** Replaces its state with the page, and continues from there. */
    takePage: (server: Sessions): void => {
      leave();
      lastEventId = stream.position();
      sessions.clear();
      for (const [id, snapshot] of server) sessions.set(id, snapshot);
    },
    read: (most?: number): void => {
      for (const message of joined?.read(most) ?? []) {
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
