import { describe, expect, it } from "vitest";
import { AppError } from "../app-error.ts";
import type { HooklineEvent } from "../event/event.ts";
import { type AppPorts, createApp } from "./app.ts";
import type { DaemonStatus } from "./contract.ts";

const event: HooklineEvent = {
  v: 1,
  id: "e1",
  eventType: "turn.end",
  occurredAtIso: "2026-01-01T00:00:00.000Z",
  sessionId: "s",
  provider: "claude",
  projectPath: null,
  cwd: null,
  origin: "hook",
};
const status = { version: "1", pid: 1 } as DaemonStatus;
const ports: AppPorts = {
  version: "1",
  status: async () => status,
  progress: () => null,
  events: async ({ after, limit, sessionId }) =>
    [1, 2, 3]
      .filter((seq) => seq > after && (sessionId === undefined || sessionId === "s"))
      .slice(0, limit)
      .map((seq) => ({ seq, event })),
  rebuild: async () => {
    throw new AppError("rebuild_incomplete", "no");
  },
  importTranscripts: async () => ({ files: 0, bytes: 0, events: 0, badLines: 0 }),
  flush: async () => undefined,
  handOver: () => ({ version: "1", pid: 1, closes: 0 }),
};
const app = createApp(ports, { token: "secret-token", via: "tcp", port: () => 4000 });
const ourHost = { host: "127.0.0.1:4000" };
const withToken = { ...ourHost, authorization: "Bearer secret-token" };

async function ask(path: string, headers: Record<string, string>, method = "GET") {
  const response = await app.request(path, { headers, method });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("the API", () => {
  it("reports its health to any local client, and nothing else", async () => {
    for (const path of ["/api/health", "/health"])
      expect(await ask(path, ourHost)).toMatchObject({
        status: 200,
        body: { ok: true, status: "ok", version: "1" },
      });
    expect(await ask("/api/events", ourHost)).toMatchObject({
      status: 401,
      body: { error: { code: "token_required" } },
    });
    expect(await ask("/api/status", { ...ourHost, authorization: "Bearer secret-tokem" })).toMatchObject({
      status: 401,
    });
  });

  it.each([
    ["GET", "/api/context/inject"],
    ["POST", "/sessions/init"],
    ["POST", "/api/sessions/observations"],
    ["POST", "/sessions/42/init"],
  ])("names serve.compat to a program that asks %s %s without a token", async (method, path) => {
    const { status, body } = await ask(path, ourHost, method);
    expect([status, body["error"]]).toEqual([
      401,
      { code: "token_required", message: expect.stringContaining("`hookline config serve.compat true`") },
    ]);
    const fromBrowser = await ask(path, { ...ourHost, "sec-fetch-site": "none" }, method);
    expect(JSON.stringify(fromBrowser.body)).not.toContain("serve.compat");
    expect(JSON.stringify((await ask("/api/events", ourHost)).body)).not.toContain("serve.compat");
  });

  it.each(["evil.example", "127.0.0.1:4001", "127.0.0.1", "127.0.0.1.evil.example:4000", ""])(
    "refuses a request that came by the name %j",
    async (host) => {
      expect(await ask("/api/health", { ...withToken, host })).toMatchObject({
        status: 403,
        body: { error: { code: "host_refused" } },
      });
    },
  );

  it.each(["https://evil.example", "null", "http://127.0.0.1:4001", "http://127.0.0.1"])(
    "refuses a page of %j even with the token",
    async (origin) => {
      expect(await ask("/api/events", { ...withToken, origin })).toMatchObject({
        status: 403,
        body: { error: { code: "origin_refused" } },
      });
    },
  );

  it("allows requests from its own page", async () => {
    expect(await ask("/api/events", { ...withToken, origin: "http://127.0.0.1:4000" })).toMatchObject({
      status: 200,
    });
  });

  it("pages through events", async () => {
    expect(await ask("/api/events?limit=2", withToken)).toMatchObject({
      body: { events: [{ seq: 1, id: "e1" }, { seq: 2 }], next: 2 },
    });
    expect(await ask("/api/events?after=2", withToken)).toMatchObject({
      body: { events: [{ seq: 3 }], next: 3 },
    });
    expect(await ask("/api/events?after=3", withToken)).toMatchObject({ body: { events: [], next: 3 } });
    expect(await ask("/api/events?session=other", withToken)).toMatchObject({ body: { events: [] } });
  });

  it("has one shape for all errors", async () => {
    expect(await ask("/api/events?limit=lots", withToken)).toMatchObject({
      status: 400,
      body: { error: { code: "query_invalid" } },
    });
    expect(await ask("/api/nothing", withToken)).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
    });
    expect(await ask("/api/rebuild", withToken, "POST")).toMatchObject({
      status: 409,
      body: { error: { code: "rebuild_incomplete" } },
    });
    expect(await ask("/api/import", withToken, "POST")).toMatchObject({
      status: 400,
      body: { error: { code: "body_invalid" } },
    });
  });

  it("requires no token on the socket, which only its owner can open", async () => {
    const socket = createApp(ports, { token: "secret-token", via: "socket", port: () => null });
    expect((await socket.request("/api/status")).status).toBe(200);
  });
});
