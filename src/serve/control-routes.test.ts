import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../app-error.ts";
import type { Card, TrustReport } from "../control/control-contract.ts";
import { hashShown, MAX_SHOWN_BYTES, showRequest } from "../shown/show-request.ts";
import type { ControlPorts } from "./control-ports.ts";
import { controlRoutes } from "./control-routes.ts";
import { cardOf, createInMemoryDriven, type InMemoryDriven, settle } from "./driven-sessions.testing.ts";

const KEY = "sk-ant-api03-secret-of-mine";

let driven: InMemoryDriven;
let app: Hono;
let reportRequest: unknown;
let messages: unknown[];
let reportedViews: unknown[];

beforeEach(() => {
  driven = createInMemoryDriven();
  messages = [];
  reportedViews = [];
  reportRequest = undefined;
  app = new Hono().route("/", controlRoutes(createPorts()));
});

function createPorts(): ControlPorts {
  const terminal = new Map<string, Card>(
    ["card-1", "card-2"].map((id) => [
      id,
      cardOf(
        "term-1",
        { toolUseId: id, tool: "Bash", input: { command: `touch ${id}` } },
        { source: "terminal", sinceIso: `2026-11-15T11:0${id.at(-1)}:00.000Z` },
      ),
    ]),
  );
  let trusted: string | null = null;
  const trust = (): TrustReport => ({
    root: "/home/dev/acme-shop",
    hash: "h1",
    trusted: trusted === "h1",
    changed: false,
    approvedAtIso: null,
    items: [],
  });
  return {
    driven,
    terminal: {
      cards: () => [...terminal.values()].filter(({ status }) => status === "pending"),
      get: (id) => terminal.get(id),
      answer(id, answer) {
        const settled = settle(terminal.get(id)!, answer);
        terminal.set(id, settled);
        return settled;
      },
      reportViewer: (view) => void reportedViews.push(view),
    },
    findSettled: async () => [],
    async sendToTerminal(request) {
      if (request.sessionId !== "term-1")
        throw new AppError("session_unknown", `there is no session ${request.sessionId}`);
      messages.push(request);
      return { delivered: true };
    },
    async report(request) {
      reportRequest = request;
      return {
        sdk: { found: true, version: "1", message: null },
        claude: { path: "/usr/bin/claude", version: "2", message: null },
        login: "api_key",
        usable: true,
        billing: "Your API key pays.",
      };
    },
    trust: {
      report: async () => trust(),
      async approve(_cwd, hash) {
        if (hash !== "h1") throw new AppError("trust_changed", "it is not what you were shown");
        trusted = hash;
        return trust();
      },
      async revoke() {
        trusted = null;
        return trust();
      },
      approvals: async () =>
        trusted === null ? [] : [{ folder: "/x", hash: trusted, approvedAtIso: "2026-11-15T10:00:00.000Z" }],
      async revokeApproval(folder) {
        if (folder !== "/x" || trusted === null) throw new AppError("trust_unknown", "it is not approved");
        trusted = null;
      },
    },
    policy: {
      test: ({ toolName }) => ({ verdict: "ask", step: "rest", rule: "builtin/rest", reason: toolName }),
    },
  };
}

async function ask(method: string, path: string, body?: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await app.request(`/api/control${path}`, {
    method,
    ...(body !== undefined && { body: text }),
  });
  const answer = await response.text();
  return { status: response.status, body: JSON.parse(answer), text: answer };
}
const refusal = (status: number, code: string) => ({ status, body: { error: { code } } });
/** Hashes the card as a client renders it. */
const renderedHash = async (id: string): Promise<string> =>
  hashShown(showRequest((await ask("GET", `/cards/${id}`)).body));
const startSession = async (): Promise<string> =>
  (await ask("POST", "/sessions", { cwd: "/home/dev/acme-shop" })).body.sessionId;

describe("driven sessions", () => {
  it("are started, listed and shown", async () => {
    const started = await ask("POST", "/sessions", { cwd: "/home/dev/acme-shop", prompt: "hi" });
    expect(started).toMatchObject({ status: 201, body: { sessionId: "driven-1", mode: "default" } });
    expect((await ask("GET", "/sessions")).body.sessions).toMatchObject([{ sessionId: "driven-1" }]);
    expect((await ask("GET", "/sessions/driven-1")).body).toMatchObject({ cwd: "/home/dev/acme-shop" });
  });

  it("run a command once per command id, however often it is sent", async () => {
    const request = { cwd: "/home/dev/acme-shop", commandId: "c1" };
    const answers = [await ask("POST", "/sessions", request), await ask("POST", "/sessions", request)];
    expect(answers.map(({ body }) => body.sessionId)).toEqual(["driven-1", "driven-1"]);
    const send = { text: "go on", commandId: "c2" };
    const sent = [await ask("POST", "/sessions/driven-1/send", send)];
    sent.push(await ask("POST", "/sessions/driven-1/send", send));
    expect(sent[0]!.body).toEqual(sent[1]!.body);
    expect(driven.envelopes("driven-1").filter(({ type }) => type === "user")).toHaveLength(1);
  });

  it("complete files in their own folder alone, and folders anywhere", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "hookline-routes-"));
    try {
      writeFileSync(join(cwd, "notes.txt"), "");
      mkdirSync(join(cwd, "src"));
      const { body } = await ask("POST", "/sessions", { cwd });
      const files = async (typed: string) =>
        (await ask("GET", `/sessions/${body.sessionId}/files?typed=${typed}`)).body;
      expect(await files("")).toEqual({ paths: ["src/", "notes.txt"] });
      expect(await files("../")).toEqual({ paths: [] });
      expect((await ask("GET", "/sessions/unknown/files")).body.error.code).toBe("session_unknown");
      const folders = await ask("GET", `/folders?typed=${encodeURIComponent(`${cwd}/`)}`);
      expect(folders.body).toEqual({ paths: [`${cwd}/src/`] });
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  });

  it("accept every command with its command id", async () => {
    const id = await startSession();
    driven.calls.length = 0;
    const commandId = "c";
    await ask("POST", `/sessions/${id}/send`, { text: "hi", commandId: "c0" });
    await ask("POST", `/sessions/${id}/stop`, { commandId });
    await ask("POST", `/sessions/${id}/stop`);
    await ask("POST", `/sessions/${id}/mode`, { mode: "plan", commandId: "c1", who: "phone" });
    await ask("POST", `/sessions/${id}/mode`, { mode: "default" });
    await ask("POST", `/sessions/${id}/model`, { model: "opus", commandId: "c2" });
    await ask("POST", `/sessions/${id}/rewind`, { messageId: "m1", commandId: "c3" });
    await ask("POST", `/sessions/${id}/again/t1`, { commandId: "c4" });
    await ask("POST", `/sessions/${id}/close`, { commandId: "c5" });
    expect(driven.calls).toEqual([
      ["send", id, { text: "hi", commandId: "c0", images: [], interrupt: false }],
      ["stop", id, "c"],
      ["stop", id, undefined],
      ["setMode", id, "plan", "phone", "c1"],
      ["setMode", id, "default", "api", undefined],
      ["setModel", id, "opus", "c2"],
      ["rewind", id, { messageId: "m1", commandId: "c3", dryRun: false }],
      ["askAgain", id, "t1", { commandId: "c4" }],
      ["close", id, "c5"],
    ]);
  });

  it("resume in their own folder, or in the given one", async () => {
    const id = await startSession();
    driven.calls.length = 0;
    expect((await ask("POST", `/sessions/${id}/resume`)).status).toBe(201);
    await ask("POST", `/sessions/${id}/fork`, { prompt: "again", mode: "plan" });
    await ask("POST", "/sessions/9f3c/resume", { cwd: "/srv/blog" });
    expect(driven.calls).toMatchObject([
      ["start", { resume: `claude-of-${id}`, fork: false, cwd: "/home/dev/acme-shop", mode: "default" }],
      ["start", { resume: `claude-of-${id}`, fork: true, prompt: "again", mode: "plan" }],
      ["start", { resume: "9f3c", fork: false, cwd: "/srv/blog" }],
    ]);
    expect(await ask("POST", "/sessions/9f3c/resume")).toMatchObject(refusal(400, "cwd_missing"));
  });

  it("refuse unknown sessions, missing folders and invalid bodies, with a code", async () => {
    const id = await startSession();
    expect(await ask("GET", "/sessions/nope")).toMatchObject(refusal(404, "session_unknown"));
    for (const action of ["send", "stop", "close", "mode", "model", "rewind", "answer/t1", "again/t1"]) {
      const body = { send: { text: "x" }, mode: { mode: "plan" }, model: { model: "x" } }[action] ?? {
        ...(action === "rewind" && { messageId: "m" }),
      };
      const answer = await ask("POST", `/sessions/nope/${action}`, body);
      expect(answer, action).toMatchObject(refusal(404, "session_unknown"));
    }
    expect(await ask("POST", "/sessions", { cwd: "/nowhere" })).toMatchObject(refusal(400, "cwd_missing"));
    for (const [path, body] of [
      ["", {}],
      ["", { cwd: "/x", sudo: true }],
      ["", "{"],
      [`/${id}/send`, { text: "" }],
      [`/${id}/send`, undefined],
      [`/${id}/mode`, { mode: "yolo" }],
      [`/${id}/stop`, "{"],
      [`/${id}/stop`, { now: true }],
      [`/${id}/resume`, { resume: "other" }],
      [`/${id}/rewind`, {}],
    ] as const)
      expect(await ask("POST", `/sessions${path}`, body), `${path} ${JSON.stringify(body)}`).toMatchObject(
        refusal(400, "body_invalid"),
      );
  });
});

describe("the caller's credentials", () => {
  it("reach the session, but no response", async () => {
    const request = { cwd: "/home/dev/acme-shop", credentials: { ANTHROPIC_API_KEY: KEY } };
    const started = await ask("POST", "/sessions", request);
    expect(driven.calls).toMatchObject([["start", { credentials: { ANTHROPIC_API_KEY: KEY } }]]);
    const listed = await ask("GET", "/sessions");
    const refused = await ask("POST", "/sessions", { ...request, model: "echo" });
    expect(refused).toMatchObject(refusal(409, "login_refused"));
    expect(refused.body.error.message).toContain("<ANTHROPIC_API_KEY>");
    for (const { text } of [started, listed, refused]) expect(text).not.toContain(KEY);
  });

  it("must be on the list", async () => {
    const credentials = { ANTHROPIC_API_KEY: KEY, NODE_OPTIONS: "--require=/tmp/x.js" };
    for (const path of ["/sessions", "/sessions/9f3c/resume", "/sessions/9f3c/fork"]) {
      const answer = await ask("POST", path, { cwd: "/home/dev/acme-shop", credentials });
      expect(answer).toMatchObject(refusal(400, "credentials_refused"));
      expect(answer.body.error.message).toContain("NODE_OPTIONS");
      expect(answer.text).not.toContain("/tmp/x.js");
    }
    expect(await ask("POST", "/claude", { credentials })).toMatchObject(refusal(400, "credentials_refused"));
    expect(driven.calls).toEqual([]);
  });
});

describe("cards", () => {
  const request = { type: "permission.request", tool: "Bash", input: {}, reason: "r", rule: null } as const;

  it("include driven and terminal sessions, oldest first", async () => {
    const id = await startSession();
    driven.emit(id, { ...request, toolUseId: "t1", agentId: null, agentType: null });
    expect((await ask("GET", "/cards")).body.cards).toMatchObject([
      { id: "card-1", source: "terminal" },
      { id: "card-2", source: "terminal" },
      { id: "t1", source: "driven" },
    ]);
    expect((await ask("GET", `/cards?session=${id}`)).body.cards).toMatchObject([{ id: "t1" }]);
    expect((await ask("GET", "/cards/card-1")).body).toMatchObject({ sessionId: "term-1" });
  });

  it("are answered once, through either route", async () => {
    const id = await startSession();
    for (const toolUseId of ["t1", "t2"])
      driven.emit(id, { ...request, toolUseId, agentId: null, agentType: null });
    for (const [card, path] of [
      ["card-1", "/cards/card-1/answer"],
      ["t1", "/cards/t1/answer"],
      ["t2", `/sessions/${id}/answer/t2`],
    ] as const) {
      const allow = { decision: "allow", who: "phone", shown: await renderedHash(card) };
      expect(await ask("POST", path, allow)).toMatchObject({
        status: 200,
        body: { status: "settled", settled: { outcome: "allow", who: "phone" } },
      });
      expect(await ask("POST", path, { decision: "deny" })).toMatchObject(refusal(409, "not_pending"));
    }
    expect((await ask("GET", "/cards")).body.cards).toMatchObject([{ id: "card-2" }]);
  });

  it("refuse an invalid answer", async () => {
    expect(await ask("GET", "/cards/nope")).toMatchObject(refusal(404, "card_unknown"));
    expect(await ask("POST", "/cards/nope/answer", {})).toMatchObject(refusal(404, "card_unknown"));
    const shown = await renderedHash("card-1");
    expect(await ask("POST", "/cards/card-1/answer", { answers: { q: "a" }, shown })).toMatchObject(
      refusal(400, "answer_invalid"),
    );
    for (const body of [undefined, { decision: "maybe" }, { decision: "allow", rm: 1 }])
      expect(await ask("POST", "/cards/card-1/answer", body)).toMatchObject(refusal(400, "body_invalid"));
  });
});

describe("an answer", () => {
  it("must carry the hash of the request as rendered, matching the pending one", async () => {
    const id = await startSession();
    const requestFields = { type: "permission.request", tool: "Bash", reason: "r", rule: null } as const;
    for (const toolUseId of ["t1", "t2"])
      driven.emit(id, {
        ...requestFields,
        input: { command: `make ${toolUseId}` },
        toolUseId,
        agentId: null,
        agentType: null,
      });
    const allow = { decision: "allow" };
    for (const [path, other] of [
      ["/cards/card-1/answer", "card-2"],
      ["/cards/t1/answer", "t2"],
      [`/sessions/${id}/answer/t2`, "t1"],
    ] as const) {
      expect(await ask("POST", path, allow)).toMatchObject(refusal(400, "shown_missing"));
      for (const shown of ["", "0".repeat(64), await renderedHash(other)])
        expect(await ask("POST", path, { ...allow, shown })).toMatchObject(refusal(409, "shown_mismatch"));
    }
    expect((await ask("GET", "/cards")).body.cards).toHaveLength(4);
  });

  it("can only be a denial if the request is too large to render", async () => {
    const id = await startSession();
    const input = { file_path: "a", content: "x".repeat(MAX_SHOWN_BYTES) };
    const requestFields = { type: "permission.request", tool: "Write", reason: "r", rule: null } as const;
    driven.emit(id, { ...requestFields, input, toolUseId: "t1", agentId: null, agentType: null });
    expect((await ask("GET", "/cards/t1")).body).toMatchObject({ input: {} });
    const shown = await renderedHash("t1");
    const allow = { decision: "allow", shown };
    expect(await ask("POST", "/cards/t1/answer", allow)).toMatchObject(refusal(409, "too_large"));
    expect((await ask("POST", "/cards/t1/answer", { decision: "deny", shown })).status).toBe(200);
  });
});

it("accepts a client's report of what it shows", async () => {
  const view = { viewer: "tab-1", looking: true, sessionId: null, requests: ["card-1"] };
  const response = await app.request("/api/control/viewer", { method: "POST", body: JSON.stringify(view) });
  expect([response.status, reportedViews]).toEqual([204, [view]]);
  expect(await ask("POST", "/viewer", { looking: true })).toMatchObject(refusal(400, "body_invalid"));
});

describe("the checks before a session", () => {
  it("report what is installed and who pays, with the caller's credentials", async () => {
    expect((await ask("GET", "/claude?billing=subscription")).body).toMatchObject({ usable: true });
    expect(reportRequest).toEqual({ billing: "subscription" });
    await ask("POST", "/claude", { credentials: { ANTHROPIC_API_KEY: KEY } });
    expect(reportRequest).toEqual({ credentials: { ANTHROPIC_API_KEY: KEY } });
    expect(await ask("GET", "/claude?billing=free")).toMatchObject(refusal(400, "query_invalid"));
  });

  it("show what a repository would run, and approve exactly that", async () => {
    expect((await ask("GET", "/trust?cwd=/x")).body).toMatchObject({ hash: "h1", trusted: false });
    expect(await ask("POST", "/trust", { cwd: "/x", hash: "h0" })).toMatchObject(
      refusal(409, "trust_changed"),
    );
    expect((await ask("POST", "/trust", { cwd: "/x", hash: "h1" })).body).toMatchObject({ trusted: true });
    expect((await ask("GET", "/trust/approvals")).body).toEqual({
      approvals: [{ folder: "/x", hash: "h1", approvedAtIso: "2026-11-15T10:00:00.000Z" }],
    });
    expect(await ask("DELETE", "/trust/approvals?folder=/y")).toMatchObject(refusal(409, "trust_unknown"));
    expect(await ask("DELETE", "/trust/approvals")).toMatchObject(refusal(400, "query_invalid"));
    expect((await ask("DELETE", "/trust/approvals?folder=/x")).body).toEqual({ approvals: [] });
    expect((await ask("POST", "/trust", { cwd: "/x", hash: "h1" })).body).toMatchObject({ trusted: true });
    expect((await ask("DELETE", "/trust?cwd=/x")).body).toMatchObject({ trusted: false });
    expect(await ask("GET", "/trust")).toMatchObject(refusal(400, "query_invalid"));
    expect(await ask("POST", "/trust", { cwd: "/x" })).toMatchObject(refusal(400, "body_invalid"));
  });

  it("return the policy's verdict", async () => {
    const request = { toolName: "Bash", toolInput: { command: "ls" }, cwd: "/x" };
    expect((await ask("POST", "/policy/test", request)).body).toMatchObject({
      verdict: "ask",
      reason: "Bash",
    });
    expect(await ask("POST", "/policy/test", { toolName: "Bash" })).toMatchObject(
      refusal(400, "body_invalid"),
    );
  });
});

it("sends a message to a terminal session", async () => {
  expect(await ask("POST", "/sessions/term-1/message", { text: "hi", from: "phone" })).toMatchObject({
    status: 200,
    body: { delivered: true },
  });
  expect(messages).toEqual([{ sessionId: "term-1", text: "hi", from: "phone" }]);
  expect(await ask("POST", "/sessions/x/message", { text: "hi" })).toMatchObject(
    refusal(404, "session_unknown"),
  );
  expect(await ask("POST", "/sessions/term-1/message", {})).toMatchObject(refusal(400, "body_invalid"));
});

it("maps every refusal code to one status", async () => {
  const codes = {
    session_unknown: 404,
    card_unknown: 404,
    answer_invalid: 400,
    cwd_missing: 400,
    not_pending: 409,
    session_busy: 409,
    session_in_use: 409,
    trust_changed: 409,
    budget_spent: 409,
    billing_choice: 409,
    sdk_missing: 424,
    claude_missing: 424,
    claude_too_old: 424,
    any_other: 409,
  };
  for (const [code, status] of Object.entries(codes)) {
    driven.start = () => Promise.reject(new AppError(code, "no"));
    expect(await ask("POST", "/sessions", { cwd: "/x" })).toMatchObject(refusal(status, code));
  }
  driven.start = () => Promise.reject(new TypeError("broken"));
  expect(await ask("POST", "/sessions", { cwd: "/x" })).toMatchObject(refusal(500, "internal"));
});
