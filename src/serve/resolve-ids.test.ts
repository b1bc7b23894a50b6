import { beforeEach, describe, expect, it } from "vitest";
import { type AppPorts, createApp } from "./app.ts";
import type { ControlPorts } from "./control-ports.ts";
import { cardOf, createInMemoryDriven, type InMemoryDriven } from "./driven-sessions.testing.ts";

const SESSION = "11112222-0000-4000-8000-000000000001";
const SAME_PREFIX = ["aaaabbbb-0000-4000-8000-000000000001", "aaaabbbb-0000-4000-8000-000000000002"];

let driven: InMemoryDriven;
let sent: unknown[];

beforeEach(() => {
  driven = createInMemoryDriven();
  sent = [];
});

function open() {
  const known = [SESSION, ...SAME_PREFIX];
  const cards = ["99998888-a", "77776666-b", "77776666-c"].map((id) =>
    cardOf(SESSION, { toolUseId: id, tool: "Bash", input: {} }, { source: "terminal" }),
  );
  const control = {
    driven,
    terminal: {
      cards: () => cards,
      get: (id: string) => cards.find((card) => card.id === id),
    },
    async sendToTerminal(request: unknown) {
      sent.push(request);
      return { delivered: true };
    },
  } as unknown as ControlPorts;
  const queries: unknown[] = [];
  const ports = {
    version: "1",
    control,
    sessionIds: (prefix: string) => known.filter((id) => id.startsWith(prefix)),
    events: (query: unknown) => {
      queries.push(query);
      return [];
    },
    pages: {
      sessionEvents: (query: unknown) => {
        queries.push(query);
        return [];
      },
      verdicts: (query: unknown) => {
        queries.push(query);
        return { verdicts: [] };
      },
    },
  } as unknown as AppPorts;
  const app = createApp(ports, { token: "t", via: "socket", port: () => null });
  const ask = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await app.request(path, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { ask, queries };
}

describe("an eight-letter id prefix", () => {
  it("identifies the session of every query", async () => {
    const { ask, queries } = open();
    for (const path of [
      "/api/events?session=11112222",
      "/api/sessions/11112222/events",
      "/api/verdicts?session=11112222",
    ])
      expect((await ask(path)).status, path).toBe(200);
    expect(queries).toMatchObject([{ sessionId: SESSION }, { sessionId: SESSION }, { session: SESSION }]);
  });

  it("identifies the session to resume or message, and each driven one", async () => {
    const { ask } = open();
    const start = { cwd: "/home/dev/acme-shop", resume: "11112222", prompt: "go on" };
    expect((await ask("/api/control/sessions", start)).status).toBe(201);
    expect(driven.calls[0]).toMatchObject(["start", { resume: SESSION }]);
    const message = { text: "hello", from: "me" };
    expect((await ask("/api/control/sessions/11112222/message", message)).status).toBe(200);
    expect(sent).toMatchObject([{ sessionId: SESSION }]);
    await ask("/api/control/sessions/driv/send", { text: "more" });
    await ask("/api/control/sessions/driven-/stop", {});
    expect(driven.calls.slice(1).map(([command, id]) => [command, id])).toEqual([
      ["send", "driven-1"],
      ["stop", "driven-1"],
    ]);
    expect((await ask("/api/control/sessions/driven")).body).toMatchObject({ sessionId: "driven-1" });
  });

  it("identifies a request, and the session whose requests are listed", async () => {
    const { ask } = open();
    expect((await ask("/api/control/cards/99998888")).body).toMatchObject({ id: "99998888-a" });
    expect((await ask("/api/control/cards?session=11112222")).body["cards"]).toHaveLength(3);
    expect((await ask("/api/control/cards?session=aaaabbbb")).body["cards"]).toHaveLength(0);
  });
});

it("refuses an ambiguous prefix, with the matching ids", async () => {
  const { ask } = open();
  const start = { cwd: "/home/dev/acme-shop", resume: "aaaabbbb" };
  for (const [path, body] of [
    ["/api/events?session=aaaabbbb"],
    ["/api/sessions/aaaabbbb/events"],
    ["/api/verdicts?session=aaaabbbb"],
    ["/api/control/sessions", start],
    ["/api/control/sessions/aaaabbbb/message", { text: "hello", from: "me" }],
    ["/api/control/sessions/aaaabbbb/send", { text: "hello" }],
  ] as [string, unknown?][]) {
    const answer = await ask(path, body);
    expect(answer.status, path).toBe(409);
    const message = `aaaabbbb matches several sessions: ${SAME_PREFIX.join(", ")}`;
    expect(answer.body["error"]).toEqual({ code: "session_ambiguous", message });
  }
  expect(driven.calls).toEqual([]);
  expect(sent).toEqual([]);
  expect(await ask("/api/control/cards/77776666")).toMatchObject({
    status: 409,
    body: { error: { code: "card_ambiguous" } },
  });
});

it("treats a full id as itself, even if it is a prefix of another", async () => {
  const { ask, queries } = open();
  await ask(`/api/events?session=${SAME_PREFIX[0]}`);
  await ask("/api/events?session=unknown-id");
  await ask("/api/events?session=111");
  expect(queries).toMatchObject([
    { sessionId: SAME_PREFIX[0] },
    { sessionId: "unknown-id" },
    { sessionId: "111" },
  ]);
});
