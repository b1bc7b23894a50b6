import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { EVENT_TYPES, EVENT_VERSION, ORIGINS } from "../../src/event/event.ts";
import { contentHash, deliveryId, factId, rowId } from "../../src/event/ids.ts";
import { toLine } from "../../src/event/line.ts";
import { recordCommand } from "../../src/hook/commands.ts";
import { type AppPorts, createApp } from "../../src/serve/app.ts";
import { ErrorBody, EventsPage, Health } from "../../src/serve/contract.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

// What other programs and recorded data rely on, as literals. A red pin requires a decision:
// such a change needs a new format version, a migration, or a notice to its users.

describe("the log", () => {
  it("has these event types and origins", () => {
    expect(EVENT_VERSION).toBe(1);
    expect(EVENT_TYPES).toEqual([
      "session.lifecycle",
      "session.evidence",
      "turn.start",
      "turn.end",
      "turn.failed",
      "skill.lifecycle",
      "tool.start",
      "tool_observation",
      "assistant.message",
      "subagent.lifecycle",
      "compaction",
      "permission",
      "task.lifecycle",
      "model.switch",
      "notification",
      "agent.event",
      "memory.item",
      "memory.mark",
      "memory.forgotten",
      "memory.injected",
      "control.envelope",
      "control.verdict",
      "control.card",
      "control.reaction",
    ]);
    expect(ORIGINS).toEqual(["stream", "transcript", "batch", "hook", "watch"]);
  });

  it("writes this line for a skill", () => {
    const line = toLine({
      turnSeq: null,
      targetDocPath: "docs/release.md",
      triggerCommand: "/release-notes docs/release.md",
      skillName: "release-notes",
      origin: "hook",
      toolUseId: "toolu_01",
      promptId: "p1",
      cwd: "/home/dev/acme-shop/docs",
      projectPath: "/home/dev/acme-shop",
      provider: "claude",
      sessionId: "s1",
      occurredAtIso: "2026-11-15T03:03:43.824Z",
      phase: "completed",
      eventType: "skill.lifecycle",
      id: factId("skill", "toolu_01", "completed"),
      v: 1,
    });
    expect(line).toBe(
      '{"v":1,"id":"f90f1128-578b-5b4b-981d-adbb27da4272","eventType":"skill.lifecycle","phase":"completed",' +
        '"occurredAtIso":"2026-11-15T03:03:43.824Z","sessionId":"s1","provider":"claude",' +
        '"projectPath":"/home/dev/acme-shop","cwd":"/home/dev/acme-shop/docs","promptId":"p1",' +
        '"toolUseId":"toolu_01","origin":"hook","turnSeq":null,"targetDocPath":"docs/release.md",' +
        '"triggerCommand":"/release-notes docs/release.md","skillName":"release-notes"}',
    );
  });
});

describe("ids", () => {
  it("of facts, deliveries and rows never change", () => {
    expect(factId("tool", "toolu_01", "end")).toBe("3a776b69-f76c-5e53-a903-c28d37ca2000");
    const delivery = {
      sessionId: "s1",
      eventName: "Stop",
      name: "10-11-0",
      timeNs: "1700000000000000000",
      contentHash: () => "abc",
    };
    expect(deliveryId(delivery, "turn.end")).toBe("5adda752-fff6-538a-a490-4ffd7b193ba9");
    expect(rowId("session", "s1")).toBe(82_523_658_077_742);
    expect(rowId("observation", "toolu_01")).toBe(1_089_262_213_755_150);
    expect(contentHash("hello")).toBe("2cf24dba5fb0a30e26e83b2ac5b9e29e");
  });
});

describe("the database", () => {
  const contract: Readonly<Record<string, string>> = {
    events: "id event_type session_id timestamp payload_json",
    session_lifecycle_events: "id occurred_at_iso session_id provider phase project_path cwd raw_json",
    skill_lifecycle_events:
      "id occurred_at_iso session_id provider skill_name phase trigger_command target_doc_path turn_seq project_path raw_json",
    lifecycle_stream_offsets: "stream_key inode byte_offset updated_at_iso",
    sdk_sessions:
      "id claude_session_id project first_user_prompt prompt_counter status created_at completed_at",
    user_prompts: "id session_id prompt_number prompt created_at",
    observations:
      "id session_id prompt_number tool_name tool_input_json tool_response_text compressed_observation created_at",
    session_summaries: "id session_id request investigated learned completed next_steps created_at",
  };
  const store = openSqliteStore(":memory:");
  afterAll(() => store.close());

  it.each(Object.entries(contract))("has %s with its columns in this order", (name, columns) => {
    const found = store.db.raw.prepare(`PRAGMA table_info(${name})`).all();
    expect(found.map((column) => column["name"]).join(" ")).toBe(columns);
  });

  it("deletes a session's rows with it, and accepts only three statuses", () => {
    const keys = ["user_prompts", "session_summaries"].map((table) => {
      const key = store.db.raw.prepare(`PRAGMA foreign_key_list(${table})`).get()!;
      return [key["table"], key["from"], key["to"], key["on_delete"]].join(" ");
    });
    expect(keys).toEqual(Array(2).fill("sdk_sessions session_id id CASCADE"));
    const insert = (status: string): unknown =>
      store.db.raw
        .prepare("INSERT INTO sdk_sessions (claude_session_id, status, created_at) VALUES (?, ?, '')")
        .run(status, status);
    for (const status of ["initialized", "active", "completed"]) insert(status);
    expect(() => insert("failed")).toThrow(/CHECK/);
  });
});

describe("the HTTP API", () => {
  const ports = { version: "0", events: () => [] } as unknown as AppPorts;
  const app = createApp(ports, { token: "secret", via: "tcp", port: () => 37_777 });
  const ownHeaders = { host: "127.0.0.1:37777", authorization: "Bearer secret" };

  const refusals: readonly (readonly [string, string, Record<string, string>, number, string])[] = [
    ["another name", "/api/health", { host: "evil.example:37777" }, 403, "host_refused"],
    ["another port", "/api/health", { host: "127.0.0.1:80" }, 403, "host_refused"],
    ["another site", "/api/health", { ...ownHeaders, origin: "https://evil.example" }, 403, "origin_refused"],
    ["no token", "/api/events", { host: ownHeaders.host }, 401, "token_required"],
    ["a wrong token", "/api/events", { ...ownHeaders, authorization: "Bearer x" }, 401, "token_required"],
    ["a bad query", "/api/events?limit=0", ownHeaders, 400, "query_invalid"],
    ["an unknown route", "/api/nothing", ownHeaders, 404, "not_found"],
  ];
  it.each(refusals)("answers %s with its status and code", async (_what, path, headers, status, code) => {
    const response = await app.request(path, { headers });
    expect(response.status).toBe(status);
    expect(ErrorBody.parse(await response.json()).error.code).toBe(code);
  });

  it("answers a bad body with 400 body_invalid", async () => {
    const response = await app.request("/api/import", { method: "POST", headers: ownHeaders, body: "{}" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "body_invalid", issues: [{}] } });
  });

  it("serves health without a token, and events by page", async () => {
    const health = await app.request("/api/health", { headers: { host: ownHeaders.host } });
    expect(Health.parse(await health.json())).toEqual({ ok: true, version: "0", pid: process.pid });
    const page = await app.request("/api/events?after=7", { headers: ownHeaders });
    expect(EventsPage.parse(await page.json())).toEqual({ events: [], next: 7 });
  });
});

describe("the hook", () => {
  it("is recognised by its prefix, in settings of every version", () => {
    expect(recordCommand(claude).slice(0, 20)).toBe(": hookline record 1;");
    expect(recordCommand(claude).slice(-6)).toBe("exit 0");
  });
});

describe("the exit code", () => {
  const home = mkdtempSync(join(tmpdir(), "hookline-pins-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const run = (...args: string[]) => {
    const env = { PATH: process.env["PATH"]!, HOME: home, HOOKLINE_HOME: home };
    const bin = join(import.meta.dirname, "../../bin/hookline");
    const { status, stdout, stderr } = spawnSync(bin, args, { env, encoding: "utf8" });
    return { status, stdout, stderr };
  };

  it("is 0 on success", () => {
    expect(run("--version")).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
    const status = run("status", "--json");
    expect(status).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(status.stdout)).toMatchObject({
      running: false,
      recording: false,
      spoolDepth: 0,
      spoolOldestMs: null,
    });
  });

  it("is 2 for misuse: no command, an unknown one, a bad argument", () => {
    expect(run().status).toBe(2);
    expect(run("fly")).toEqual({ status: 2, stdout: "", stderr: expect.stringContaining('"fly"') });
    expect(run("pause", "soon").status).toBe(2);
    expect(run("install", "--scope", "planet").status).toBe(2);
  });

  it("is 1 on failure, such as an invalid configuration", () => {
    writeFileSync(join(home, "config.json"), '{ "port": "many", "colour": 1 }');
    const failed = run("config");
    expect(failed).toMatchObject({ status: 1, stdout: "" });
    expect(failed.stderr).toMatch(/^hookline: .*config\.json: port: .*colour/);
    writeFileSync(join(home, "config.json"), "{");
    expect(run("tail")).toMatchObject({ status: 1, stdout: "" });
  });
});
