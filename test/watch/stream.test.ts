import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import type { AppPorts } from "../../src/serve/app.ts";
import { SessionsPage } from "../../src/serve/contract.ts";
import { listen } from "../../src/serve/listen.ts";
import { createSessionStream, type SessionStreamOptions } from "../../src/serve/session-stream.ts";
import { snapshotOf } from "../../src/serve/snapshot.testing.ts";
import {
  applyMessage,
  type Message,
  parseMessages,
  type Sessions,
} from "../../src/serve/stream-client.testing.ts";
import type { WatchPorts } from "../../src/serve/watch-ports.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The real server on a port and a socket, with sessions that a test changes. */
async function serve(options: Partial<SessionStreamOptions> = {}) {
  const dir = mkdtempSync(join(tmpdir(), "hookline-watch-"));
  const sock = join(dir, "sock");
  const stream = createSessionStream({ epoch: "e1", nowMs: () => performance.now(), ...options });
  const sessions: Sessions = new Map();
  const watch = { stream, sessions: () => ({ sessions: [...sessions.values()], next: null }) };
  const ports = { version: "1", watch: watch as unknown as WatchPorts } as AppPorts;
  const served = await listen(Promise.resolve(ports), { version: "1", port: 0, sock, token: "t" });
  closing.push(async () => {
    await stream.close();
    await served.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    stream,
    sessions,
    sock,
    port: served.port!,
    change(id: string, changes: Parameters<typeof snapshotOf>[1]): void {
      const next = { ...(sessions.get(id) ?? snapshotOf(id)), ...changes };
      sessions.set(id, next);
      stream.publish(next);
    },
  };
}
type Server = Awaited<ReturnType<typeof serve>>;

/** HTTP/1.0 sends the body unchunked: what the socket reads is what was sent. */
function request(server: Server, via: "tcp" | "socket", path: string, lastEventId?: string): Socket {
  const socket = via === "tcp" ? connect(server.port, "127.0.0.1") : connect(server.sock);
  const resume = lastEventId === undefined ? "" : `Last-Event-ID: ${lastEventId}\r\n`;
  socket.on("error", () => undefined);
  socket.write(
    `GET ${path} HTTP/1.0\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer t\r\n${resume}\r\n`,
  );
  return socket;
}

/** A well-behaved client: remembers the last id, applies patches, and records what it received. */
function createClient(server: Server, via: "tcp" | "socket" = "tcp") {
  const sessions: Sessions = new Map();
  const heard: Message[] = [];
  let lastEventId: string | undefined;
  let socket: Socket | undefined;
  const join = (): void => {
    let text = "";
    let isBody = false;
    socket = request(server, via, "/api/stream", lastEventId);
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      text += part;
      if (!isBody) {
        const end = text.indexOf("\r\n\r\n");
        if (end === -1) return;
        expect(text).toMatch(/^HTTP\/1\.1 200 /);
        text = text.slice(end + 4);
        isBody = true;
      }
      const { messages, rest } = parseMessages(text);
      text = rest;
      for (const message of messages) {
        heard.push(message);
        applyMessage(sessions, message);
        lastEventId = message.id ?? lastEventId;
      }
    });
  };
  const leave = (): void => {
    socket?.removeAllListeners("data").destroy();
    socket = undefined;
  };
  closing.push(async () => leave());
  return {
    sessions,
    heard,
    join,
    leave,
    lastEventId: () => lastEventId,
    startAt: (page: SessionsPage): void => {
      lastEventId = page.streamId;
      for (const session of page.sessions) sessions.set(session.sessionId, session);
    },
    pause: () => socket?.pause(),
    resume: () => socket?.resume(),
    /** Waits until it has everything that was sent. */
    level: () => until(() => lastEventId === server.stream.position()),
  };
}

async function until(isSo: () => boolean, ms = PATIENCE_MS): Promise<void> {
  for (const end = Date.now() + ms; !isSo(); await turn()) {
    if (Date.now() > end) throw new Error("it did not come to that");
  }
}

async function takePage(server: Server): Promise<SessionsPage> {
  let text = "";
  for await (const part of request(server, "socket", "/api/sessions").setEncoding("utf8")) text += part;
  return SessionsPage.parse(JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4)));
}

const seqOf = (id: string | undefined): number => Number(id?.split("-")[1]);

/** Changes all sessions as fast as possible until stopped. */
function hurry(server: Server, names: readonly string[]) {
  let isOn = true;
  let changes = 0;
  const done = (async () => {
    while (isOn) {
      for (const id of names) {
        changes += 1;
        const needsPerson = Math.random() < 0.5;
        server.change(id, { toolCount: changes, needsPerson, why: "w".repeat(Math.random() * 2_000) });
      }
      await turn();
    }
  })();
  return {
    async stop(): Promise<number> {
      isOn = false;
      await done;
      return changes;
    },
  };
}

const twenty = Array.from({ length: 20 }, (_, n) => `session-${n}`);

describe("a client that disconnects 100 times while 20 sessions change as fast as they can", () => {
  it.each([
    ["begins with nothing", false],
    ["begins with a page", true],
  ])(
    "receives every patch once and in order, and ends with the same state, when it %s",
    async (_how, isPaged) => {
      const server = await serve({ perSessionMs: 5 });
      const changing = hurry(server, twenty);
      await wait(50);
      const client = createClient(server);
      if (isPaged) client.startAt(await takePage(server));
      const begin = client.lastEventId();
      for (let breaks = 0; breaks < 100; breaks++) {
        client.join();
        await wait(Math.random() * 30);
        client.leave();
        if (Math.random() < 0.3) await wait(Math.random() * 20);
      }
      client.join();
      const changes = await changing.stop();
      await wait(50);
      await client.level();

      const [first, ...rest] = client.heard;
      expect(first!.event).toBe(isPaged ? "patch" : "reset");
      const seqs = client.heard.map(({ id }) => seqOf(id));
      const from = isPaged ? seqOf(begin) + 1 : seqs[0]!;
      expect(seqs).toEqual(seqs.map((_, index) => from + index));
      expect(new Set(rest.map(({ event }) => event))).toEqual(new Set(["patch"]));
      expect(rest.length).toBeGreaterThan(1_000);
      expect(changes).toBeGreaterThan(rest.length);
      expect(client.sessions).toEqual(server.sessions);
      expect(server.stream.stats().gaps).toBe(0);
      client.leave();
      await until(() => server.stream.stats().clients === 0);
    },
  );
});

describe("a client that stops reading", () => {
  it.each(["tcp", "socket"] as const)(
    "is notified of the gap when it reads again over %s, and ends with the same state",
    async (via) => {
      const server = await serve({ perSessionMs: 0, ringSize: 64 });
      const [slow, quick] = [createClient(server, via), createClient(server, via)];
      for (const client of [slow, quick]) {
        client.join();
        await until(() => client.heard.length === 1);
      }
      slow.pause();
      // More than the kernel buffers for both ends of a connection.
      for (let n = 1; n <= 600; n++) {
        server.change(twenty[n % 20]!, { toolCount: n, lastAssistantMessage: `${n}${"x".repeat(50_000)}` });
        await quick.level();
      }
      slow.resume();
      await slow.level();
      server.change("session-0", { toolCount: 0 });
      await slow.level();
      await quick.level();

      const at = slow.heard.findIndex(({ event }) => event === "gap");
      expect(slow.heard[at]).toEqual({ event: "gap", id: undefined, data: { reason: "too_slow" } });
      expect(slow.heard[at + 1]!.event).toBe("reset");
      // Nothing is missing on either side of the gap.
      for (const part of [slow.heard.slice(0, at), slow.heard.slice(at + 1)]) {
        const seqs = part.map(({ id }) => seqOf(id));
        expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index));
      }
      expect(quick.heard).toHaveLength(602);
      expect(slow.sessions).toEqual(server.sessions);
      expect(quick.sessions).toEqual(server.sessions);
    },
  );

  it("costs nothing but its connection, also when a thousand do", async () => {
    const server = await serve({ perSessionMs: 0, ringBytes: 1024 * 1024 });
    const sockets: Socket[] = [];
    while (sockets.length < 1_000) {
      for (let n = 0; n < 100; n++) sockets.push(request(server, "socket", "/api/stream"));
      await until(() => server.stream.stats().clients === sockets.length);
    }
    const publish = async (count: number): Promise<number> => {
      for (let n = 0; n < count; n++) {
        server.change(twenty[n % 20]!, { lastAssistantMessage: `${Math.random()}${"x".repeat(32_000)}` });
        await turn();
      }
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    // Fills the buffers of the kernel and the responses.
    const before = await publish(100);
    const after = await publish(2_000);
    // Buffering for each of them would take more than sixty; other work of the process moves it by a few.
    expect(after - before).toBeLessThan(24 * 1024 * 1024);
    for (const socket of sockets) socket.destroy();
    await until(() => server.stream.stats().clients === 0);
  });
});

describe("the daemon", () => {
  it("announces a restart, with the current state", async () => {
    const before = await serve({ epoch: "e1" });
    before.change("a", {});
    const gone = createClient(before);
    gone.join();
    await gone.level();
    const after = await serve({ epoch: "e2" });
    after.change("b", {});
    const client = createClient(after);
    client.startAt({ sessions: [...gone.sessions.values()], next: null, streamId: gone.lastEventId()! });
    client.join();
    await client.level();
    expect(client.heard).toMatchObject([
      { event: "gap", data: { reason: "restarted" } },
      { event: "reset", id: "e2-1" },
    ]);
    expect(client.sessions).toEqual(after.sessions);
  });

  it("sends at most five patches a second per session, and the last state within 200 ms", async () => {
    const server = await serve();
    const client = createClient(server);
    client.join();
    await until(() => client.heard.length === 1);
    const began = performance.now();
    const changing = hurry(server, twenty.slice(0, 5));
    await wait(2_100);
    await changing.stop();
    await wait(250);
    expect(client.sessions).toEqual(server.sessions);
    const maxPatches = 1 + Math.floor((performance.now() - began) / 200);
    for (const id of twenty.slice(0, 5)) {
      const patches = client.heard.filter(
        ({ event, data }) => event === "patch" && (data as { sessionId: string }).sessionId === id,
      );
      expect(patches.length).toBeLessThanOrEqual(maxPatches);
      expect(patches.length).toBeGreaterThanOrEqual(8);
    }
  });

  it("ends the stream cleanly when it stops", async () => {
    const server = await serve();
    const socket = request(server, "socket", "/api/stream");
    await until(() => server.stream.stats().clients === 1);
    const ended = new Promise((resolve) => socket.resume().once("end", resolve));
    await server.stream.close();
    await ended;
  });
});

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
