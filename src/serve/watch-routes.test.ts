import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { AwayReport, SessionDetail } from "../monitor/session-detail.ts";
import { type AppPorts, createApp } from "./app.ts";
import { ErrorBody, SessionsPage } from "./contract.ts";
import { createMeters } from "./meters.ts";
import { createSessionStream } from "./session-stream.ts";
import { snapshotOf } from "./snapshot.testing.ts";
import { parseMessages } from "./stream-client.testing.ts";
import type { WatchPorts } from "./watch-ports.ts";

const ids = ["0a1b2c3d-1111", "0a1b9999-2222", "ffff0000-3333"];
const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const cost = { micros: null, source: "unpriced" as const, unpricedModels: [] };
const detailOf = (id: string): SessionDetail => ({
  session: snapshotOf(id),
  turns: [],
  tools: [],
  usage: { total: tokens, cost, byModel: [], beyondMessages: [], pricesOf: "2026-01-01" },
  waits: [],
  skills: [],
  filesChanged: [],
});
const report: AwayReport = {
  sinceIso: "2026-01-01T00:00:00.000Z",
  untilIso: "2026-01-02T00:00:00.000Z",
  needsPerson: [],
  finished: [],
  lost: [],
  failures: [],
  failedToolCount: 0,
  filesChanged: [],
  cost,
  humanWaitMs: 0,
};

const stream = createSessionStream({ epoch: "e1", nowMs: Date.now });
for (const id of ids) stream.publish(snapshotOf(id));
afterAll(() => stream.close());

const queries: unknown[] = [];
beforeEach(() => void queries.splice(0));
const watch: WatchPorts = {
  stream,
  sessions: async (query) => {
    queries.push(query);
    return { sessions: ids.map((id) => snapshotOf(id)), next: null };
  },
  session: async (prefix) => {
    const found = ids.filter((id) => id.startsWith(prefix));
    return found.length > 1 ? { ambiguous: found } : found[0] === undefined ? undefined : detailOf(found[0]);
  },
  waits: async (query) => {
    queries.push(query);
    return { since: query.since ?? "", totals: [] };
  },
  usage: async (query) => {
    queries.push(query);
    return { since: "", cost, pricesOf: "", sessions: 0, days: [], projects: [], models: [], tools: [] };
  },
  away: async (sinceIso) => {
    queries.push(sinceIso);
    return report;
  },
  seen: (atIso) => void queries.push(atIso),
  metrics: async () => ({
    version: "1",
    sessions: ids.map((id) => snapshotOf(id)),
    usage: [],
    lagMs: null,
    spoolDepth: 0,
    events: 0,
    quarantined: 0,
    refused: 0,
    stream: stream.stats(),
    memory: {},
    ...createMeters().read(),
  }),
};
const socket = { token: "secret-token", via: "socket", port: () => null } as const;
const ports = { version: "1", watch } as unknown as AppPorts;
const app = createApp(ports, socket);

async function ask(path: string, init?: RequestInit) {
  const response = await app.request(path, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const errorBody = (status: number, code: string) => ({ status, body: { error: { code } } });

describe("GET /api/sessions", () => {
  it("returns a page, and the stream position to continue from", async () => {
    const { status, body } = await ask("/api/sessions");
    expect(status).toBe(200);
    expect(SessionsPage.parse(body)).toEqual({
      sessions: ids.map((id) => snapshotOf(id)),
      next: null,
      streamId: "e1-3",
    });
  });

  it("passes on the parsed query", async () => {
    await ask(
      "/api/sessions?state=active,idle&needsPerson=true&project=acme&provider=claude&q=x&since=2026-01-01T00:00:00Z&after=n&limit=7",
    );
    await ask("/api/sessions");
    expect(queries).toEqual([
      {
        state: ["active", "idle"],
        needsPerson: true,
        project: "acme",
        provider: "claude",
        q: "x",
        since: "2026-01-01T00:00:00.000Z",
        after: "n",
        limit: 7,
      },
      { limit: 50 },
    ]);
  });

  it.each([
    "state=asleep",
    "state=",
    "needsPerson=yes",
    "since=yesterday",
    "limit=0",
    "limit=501",
    "limit=x",
  ])("refuses %s", async (query) => {
    const answer = await ask(`/api/sessions?${query}`);
    expect(answer).toMatchObject(errorBody(400, "query_invalid"));
    expect(ErrorBody.parse(answer.body).error.issues).toHaveLength(1);
    expect(queries).toEqual([]);
  });
});

describe("GET /api/sessions/:id", () => {
  it("finds a session by its id or a unique prefix", async () => {
    for (const id of [ids[2]!, "ffff"]) {
      expect(await ask(`/api/sessions/${id}`)).toMatchObject({
        status: 200,
        body: { session: { sessionId: ids[2] } },
      });
    }
  });

  it("lists the ids that match an ambiguous prefix", async () => {
    expect(await ask("/api/sessions/0a1b")).toEqual({
      status: 409,
      body: {
        error: {
          code: "session_ambiguous",
          message: "0a1b matches several sessions",
          issues: ids.slice(0, 2),
        },
      },
    });
  });

  it("reports an unknown session", async () => {
    expect(await ask("/api/sessions/nobody")).toMatchObject(errorBody(404, "session_unknown"));
  });
});

describe("GET /api/waits", () => {
  it("groups by day by default", async () => {
    expect(await ask("/api/waits")).toEqual({ status: 200, body: { since: "", totals: [] } });
    await ask("/api/waits?by=project&since=2026-01-01T00:00:00Z");
    expect(queries).toEqual([{ by: "day" }, { by: "project", since: "2026-01-01T00:00:00.000Z" }]);
  });

  it.each(["by=week", "since=1"])("refuses %s", async (query) => {
    expect(await ask(`/api/waits?${query}`)).toMatchObject(errorBody(400, "query_invalid"));
  });
});

describe("the away report", () => {
  it("covers the time since a given time, or since the last visit", async () => {
    expect(await ask("/api/away")).toEqual({ status: 200, body: report });
    await ask("/api/away?since=2026-01-01T00:00:00Z");
    expect(queries).toEqual([undefined, "2026-01-01T00:00:00.000Z"]);
    expect(await ask("/api/away?since=monday")).toMatchObject(errorBody(400, "query_invalid"));
  });

  it("is marked as seen", async () => {
    const seen = { method: "POST", body: JSON.stringify({ atIso: "2026-01-03T00:00:00Z" }) };
    expect(await ask("/api/away/seen", seen)).toEqual({
      status: 200,
      body: { atIso: "2026-01-03T00:00:00.000Z" },
    });
    expect(queries).toEqual(["2026-01-03T00:00:00.000Z"]);
  });

  it.each(["", "{", "{}", '{"atIso":"now"}', '{"atIso":"2026-01-03T00:00:00Z","by":"me"}'])(
    "is not marked by %j",
    async (body) => {
      expect(await ask("/api/away/seen", { method: "POST", body })).toMatchObject(
        errorBody(400, "body_invalid"),
      );
      expect(queries).toEqual([]);
    },
  );
});

describe("GET /api/stream", () => {
  /** Reads until a text has arrived, then disconnects. */
  async function readUntil(response: Response, end: string): Promise<string> {
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let text = "";
    while (!text.includes(end)) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
    return text;
  }

  it("is an event stream that is neither cached nor buffered", async () => {
    const response = await app.request("/api/stream");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    const [reset] = parseMessages(await readUntil(response, "reset")).messages;
    expect(reset).toMatchObject({ event: "reset", id: "e1-3" });
    expect(stream.stats().clients).toBe(0);
  });

  it("resumes after the id in the header, which is newer than the one in the URL", async () => {
    for (const [path, headers] of [
      ["/api/stream?lastEventId=e1-2", {}],
      ["/api/stream", { "last-event-id": "e1-2" }],
      ["/api/stream?lastEventId=e1-0", { "last-event-id": "e1-2" }],
    ] as const) {
      const { messages } = parseMessages(await readUntil(await app.request(path, { headers }), "patch"));
      expect(messages).toMatchObject([{ event: "patch", id: "e1-3" }]);
    }
  });

  it("subscribes no client for a HEAD request", async () => {
    const response = await app.request("/api/stream", { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(stream.stats().clients).toBe(0);
  });

  it("ends when the stream closes, also for later clients", async () => {
    const shortLivedStream = createSessionStream({ epoch: "e2", nowMs: Date.now });
    const shortLivedApp = createApp({ ...ports, watch: { ...watch, stream: shortLivedStream } }, socket);
    const open = (await shortLivedApp.request("/api/stream")).text();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(shortLivedStream.stats().clients).toBe(1);
    shortLivedStream.close();
    expect(parseMessages(await open).messages).toEqual([
      { event: "reset", id: "e2-0", data: { sessions: [] } },
    ]);
    expect(await (await shortLivedApp.request("/api/stream")).text()).toBe("");
  });
});

describe("GET /metrics", () => {
  it("answers in the Prometheus text format", async () => {
    const response = await app.request("/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await response.text()).toContain('\nhookline_sessions{state="active",provider="claude"} 3\n');
  });
});

describe("the routes about sessions", () => {
  const paths = ["/api/sessions", "/api/sessions/0a1b", "/api/stream", "/api/waits", "/api/away", "/metrics"];

  it.each(paths)("%s requires the token like every other", async (path) => {
    const tcp = createApp(ports, { token: "secret-token", via: "tcp", port: () => 4000 });
    const response = await tcp.request(path, { headers: { host: "127.0.0.1:4000" } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: "token_required" } });
  });

  it.each(paths)("%s does not exist without a monitor", async (path) => {
    const response = await createApp({ version: "1" } as AppPorts, socket).request(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
  });
});
