import { beforeEach, describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { createAcceptor } from "../capture/accept.ts";
import type { HooklineEvent } from "../event/event.ts";
import { contentHash, rowId } from "../event/ids.ts";
import type { RecordedSession } from "../store/memory-rows.ts";
import { type AppPorts, createApp } from "./app.ts";
import { createWorkerSessions } from "./worker-sessions.ts";

let events: HooklineEvent[];
let known: Map<string, RecordedSession>;
let ask: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** As in the daemon: the translator and the acceptor of hooks, and what the store would know. */
function open(compat = true) {
  const acceptor = createAcceptor({ mayRecord: () => true });
  let count = 0;
  const worker = createWorkerSessions({
    async record(payload) {
      const name = `worker-${count++}`;
      const delivery = { payload, env: {}, name, timeNs: "1", occurredAtIso: at(count), pid: null };
      const content = { contentHash: () => contentHash(JSON.stringify(payload)) };
      const accepted = acceptor.accept(claude.translateHook({ ...delivery, ...content }, (cwd) => cwd));
      events.push(...accepted);
      return { eventIds: accepted.map(({ id }) => id) };
    },
    session: async (sessionId) => known.get(sessionId),
    sessionOfRow: async (row) =>
      row === rowId("session", "claude-session-123") ? "claude-session-123" : undefined,
    newId: () => `id-${count++}`,
  });
  const app = createApp({ version: "1", worker } as AppPorts, {
    token: "secret",
    via: "tcp",
    port: () => 37_777,
    compat,
  });
  return async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await app.request(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { host: "localhost:37777", ...headers },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
}

beforeEach(() => {
  events = [];
  known = new Map();
  ask = open();
});

const session = "claude-session-123";
const ofType = (type: string) => events.filter(({ eventType }) => eventType === type);

describe.each(["", "/api"])("a client that speaks to %j", (prefix) => {
  it("is recorded like hooks", async () => {
    const location = { project: "project", cwd: "/path/to/project" };
    const first = await ask(`${prefix}/sessions/init`, {
      sessionId: session,
      ...location,
      userPrompt: "Add login",
    });
    expect(first).toEqual({
      status: 200,
      body: { status: "ok", sessionDbId: rowId("session", session), promptNumber: 1, skipped: false },
    });
    const call = {
      claudeSessionId: session,
      tool_name: "Read",
      tool_input: { file_path: "/src/index.ts" },
      tool_response: "file contents...",
      cwd: "/path/to/project",
    };
    for (const _ of [1, 2])
      expect((await ask(`${prefix}/sessions/observations`, call)).body["status"]).toBe("ok");
    await ask(`${prefix}/sessions/summarize`, {
      claudeSessionId: session,
      last_user_message: "Add login",
      last_assistant_message: "Done.",
    });
    expect((await ask(`${prefix}/processing`, { isProcessing: false })).body).toEqual({
      status: "ok",
      isProcessing: false,
    });
    await ask(`${prefix}/sessions/complete`, { claudeSessionId: session, reason: "exit" });

    expect(events.map(({ eventType, phase }) => [eventType, phase].filter(Boolean).join(" "))).toEqual([
      "session.lifecycle started",
      "turn.start",
      "tool_observation",
      "tool_observation",
      "turn.end",
      "session.lifecycle ended",
    ]);
    // The same call twice counts as two calls of one turn.
    expect(new Set(events.map(({ id }) => id)).size).toBe(6);
    expect(new Set(events.slice(1).map(({ promptId }) => promptId)).size).toBe(1);
    expect(new Set(events.map(({ projectPath }) => projectPath))).toEqual(new Set(["/path/to/project"]));
    expect(ofType("tool_observation")[0]!.payload).toMatchObject({
      toolName: "Read",
      toolInput: { file_path: "/src/index.ts" },
      toolOutput: "file contents...",
    });
    expect(ofType("turn.end")[0]!["lastAssistantMessage"]).toBe("Done.");
    expect(events.at(-1)!["reason"]).toBe("exit");
  });

  it("may name the session by its row, and a repeated prompt is recorded once", async () => {
    const { body } = await ask(`${prefix}/sessions/init`, {
      claudeSessionId: session,
      project: "p",
      prompt: "/fix it",
    });
    const repeated = { project: "p", userPrompt: "fix it", promptNumber: body["promptNumber"] };
    const answer = await ask(`${prefix}/sessions/${String(body["sessionDbId"])}/init`, repeated);
    expect(answer).toMatchObject({ status: 200, body: { status: "ok", promptNumber: 1 } });
    expect(ofType("turn.start")).toHaveLength(1);
    await ask(`${prefix}/sessions/${session}/init`, { project: "p", userPrompt: "go on", promptNumber: 2 });
    await ask(`${prefix}/sessions/init`, { claudeSessionId: session, prompt: "go on" });
    expect(ofType("turn.start").map((event) => event["prompt"])).toEqual(["/fix it", "go on", "go on"]);
    expect(await ask(`${prefix}/sessions/4711/init`, repeated)).toMatchObject({
      status: 404,
      body: { error: { code: "session_unknown" } },
    });
  });
});

describe("privacy", () => {
  it("skips a wholly private prompt and stores no content of its turn", async () => {
    const base = { claudeSessionId: session, cwd: "/p" };
    const answer = await ask("/sessions/init", { ...base, prompt: "<private>the salary list</private>" });
    expect(answer.body).toMatchObject({
      status: "skipped",
      skipped: true,
      reason: "private",
      promptNumber: 0,
    });
    const call = {
      ...base,
      tool_name: "Read",
      tool_input: { file_path: "/p/salaries.csv" },
      tool_response: "4000",
    };
    expect((await ask("/sessions/observations", call)).body).toMatchObject({
      status: "skipped",
      reason: "private",
    });
    await ask("/sessions/summarize", { ...base, last_assistant_message: "The salaries are 4000." });
    expect(JSON.stringify(events)).not.toMatch(/salar|4000/);

    expect((await ask("/sessions/init", { ...base, prompt: "now the weather" })).body).toMatchObject({
      status: "ok",
      promptNumber: 1,
    });
    await ask("/sessions/observations", { ...call, tool_response: "sunny" });
    expect(JSON.stringify(events)).toContain("sunny");
  });

  it("is kept across a restart", async () => {
    known.set(session, { cwd: "/p", prompts: 3, promptId: "p9", isPrivate: true, isSelfReported: false });
    const call = { claudeSessionId: session, tool_name: "Read", tool_input: {}, tool_response: "x" };
    expect((await ask("/sessions/observations", call)).body).toMatchObject({
      reason: "private",
      promptNumber: 3,
    });
    expect(events).toMatchObject([{ eventType: "tool_observation", promptId: "p9", cwd: "/p" }]);
  });
});

it("never treats a bare project name as a folder", async () => {
  await ask("/sessions/init", { sessionId: session, project: "default", userPrompt: "hello" });
  expect(events.map(({ cwd, projectPath }) => [cwd, projectPath])).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(events[0]!["extra"]).toEqual({ project: "default" });
});

it("does not record a session again that its own hooks record", async () => {
  known.set(session, { cwd: "/p", prompts: 2, promptId: "p", isPrivate: false, isSelfReported: true });
  const answer = await ask("/sessions/init", { claudeSessionId: session, prompt: "again" });
  expect(answer.body).toMatchObject({ status: "skipped", reason: "recorded by hooks", promptNumber: 2 });
  expect(events).toEqual([]);
});

it("records the prompt of a summary that no prompt preceded", async () => {
  const base = { claudeSessionId: session, last_user_message: "What is up?", last_assistant_message: "All." };
  await ask("/sessions/summarize", base);
  await ask("/sessions/summarize", base);
  expect(events.map(({ eventType }) => eventType)).toEqual([
    "session.lifecycle",
    "turn.start",
    "turn.end",
    "turn.end",
  ]);
});

it("accepts an input sent as text, and unknown fields", async () => {
  const call = { claudeSessionId: session, tool_name: "Bash", future: [1] };
  await ask("/sessions/observations", { ...call, tool_input: '{"command":"ls"}' });
  await ask("/sessions/observations", { ...call, tool_input: "ls" });
  expect(ofType("tool_observation").map(({ payload }) => payload?.toolInput)).toEqual([
    { command: "ls" },
    { input: "ls" },
  ]);
});

it.each([
  ["/sessions/init", {}],
  ["/sessions/init", "text"],
  ["/sessions/observations", { claudeSessionId: session }],
  ["/sessions/complete", { claudeSessionId: "" }],
])("%s refuses %j", async (path, body) => {
  expect(await ask(path, body)).toMatchObject({ status: 400, body: { error: { code: "body_invalid" } } });
});

describe("serve.compat", () => {
  const body = { claudeSessionId: session, project: "p", prompt: "hi" };

  it("off: the worker's routes require the token like all others", async () => {
    const withoutCompat = open(false);
    expect((await withoutCompat("/sessions/init", body)).status).toBe(401);
    expect((await withoutCompat("/sessions/init", body, { authorization: "Bearer secret" })).status).toBe(
      200,
    );
  });

  const pages: Record<string, string>[] = [
    { origin: "http://127.0.0.1:37777" },
    { origin: "null" },
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
    { host: "evil.example:37777" },
  ];
  it.each(pages)("on: a page of a browser is still refused, by %j", async (headers) => {
    expect([401, 403]).toContain((await ask("/sessions/init", body, headers)).status);
    expect(events).toEqual([]);
  });

  it.each([
    "/api/forget",
    "/api/import",
    "/api/observations/batch",
    "/hook/claude/Stop",
    "/mcp",
    "/api/sessions",
    "/api/ask/prompt",
    "/sessions/a/b/init",
    "/sessions/init/",
    "/api/api/sessions/init",
    "//sessions/init",
  ])("on: %s still requires the token", async (path) => {
    expect((await ask(path, {})).status).toBe(401);
  });
});

function at(second: number): string {
  return new Date(Date.UTC(2026, 10, 15, 9, 0, second)).toISOString();
}
