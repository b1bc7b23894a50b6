import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentAdapter } from "./agent.ts";
import { createAgentTable } from "./agent-table.ts";
import { claude } from "./claude/claude.ts";
import { agents } from "./registry.ts";
import { unknown } from "./unknown/unknown.ts";

const FIXTURES = join(import.meta.dirname, "../../test/fixtures");

function payloads(folder: string): [name: string, payload: Record<string, unknown>][] {
  return readdirSync(join(FIXTURES, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json") && !/(^|\/)_/.test(name))
    .map((name) => [name, JSON.parse(readFileSync(join(FIXTURES, folder, name), "utf8"))]);
}

const translate = (payload: unknown) =>
  agents.translateHook(
    {
      payload,
      env: {},
      name: "1-1-0",
      timeNs: "1",
      occurredAtIso: "2026-11-15T03:00:00.000Z",
      contentHash: () => "h",
      pid: 7,
    },
    (cwd) => cwd,
  );

const isFromClaude = (payload: unknown): boolean => agents.identifyCaller(payload) === claude;

const OTHER_PAYLOADS = payloads("others");
const CLAUDE_PAYLOADS = payloads("claude/2.1.325").filter(([, payload]) => "hook_event_name" in payload);

describe("a recorded payload", () => {
  it("exists for each agent", () => {
    expect(OTHER_PAYLOADS.length).toBeGreaterThan(60);
    expect(CLAUDE_PAYLOADS.length).toBeGreaterThan(100);
  });

  it.each(OTHER_PAYLOADS)(
    "%s of another agent is attributed to an unknown agent, in its own session",
    (_name, payload) => {
      expect(isFromClaude(payload)).toBe(false);
      const events = translate(payload);
      const sessionId = payload["session_id"] ?? payload["sessionId"] ?? payload["thread-id"];
      expect(sessionId).toBeTypeOf("string");
      expect(events.map((event) => [event.provider, event.sessionId])).toEqual([["unknown", sessionId]]);
      // Neither is interpreted as Claude Code's.
      expect(events[0]).not.toHaveProperty("transcriptPath");
      expect(events[0]).not.toHaveProperty("pid");
      // Nothing is lost, and nothing waits for a user.
      expect(JSON.stringify(events)).toContain(JSON.stringify(payload["cwd"]));
      expect(events[0]).not.toMatchObject({ phase: expect.stringContaining("waiting") });
    },
  );

  it.each(CLAUDE_PAYLOADS)("%s of Claude Code is attributed to Claude Code", (_name, payload) => {
    expect(isFromClaude(payload)).toBe(true);
    for (const event of translate(payload))
      expect(event).toMatchObject({ provider: "claude", sessionId: payload["session_id"] });
  });
});

describe("who called", () => {
  const payload = { session_id: "s", hook_event_name: "PreToolUse", cwd: "/p" };

  it("is Claude Code if the transcript is its own, whatever a later version adds", () => {
    const transcript_path = "/cfg/.anywhere/projects/-home-dev-shop/s.jsonl";
    expect(isFromClaude({ ...payload, transcript_path, timestamp: 1, newField: true })).toBe(true);
    expect(isFromClaude(payload)).toBe(true);
    expect(isFromClaude({ ...payload, transcript_path: "/none" })).toBe(true);
  });

  it.each([
    { sessionId: "s", hookEventName: "PreToolUse", tool_name: "run_in_terminal", cwd: "/p" },
    { ...payload, timestamp: "2026-11-15T19:37:41.863Z" },
    { ...payload, hook_event_name: "preToolUse" },
    { ...payload, toolName: "bash" },
    { ...payload, transcript_path: "/home/dev/.factory/sessions/s.jsonl" },
    { ...payload, transcript_path: "/home/dev/.qwen/projects/shop/chats/s.jsonl" },
    { conversation_id: "s", hook_event_name: "beforeShellExecution", workspace_roots: ["/p"] },
    { event: "PreToolUse", session_id: "s", tool_name: "developer__shell", working_dir: "/p" },
    { clineVersion: "3", hookName: "PreToolUse", taskId: "s", workspaceRoots: ["/p"] },
  ])("is another agent: %j", (payload) => {
    expect(isFromClaude(payload)).toBe(false);
    expect(translate(payload)).toMatchObject([{ provider: "unknown", sessionId: "s", cwd: "/p" }]);
  });

  it.each([{}, null, 7, "text", [], { hook_event_name: "Stop" }])("is unknown: %j", (payload) => {
    expect(translate(payload)).toMatchObject([{ provider: "unknown", sessionId: "unknown" }]);
  });
});

it("reads starts, ends and prompts in every spelling", () => {
  const firstEvent = (payload: object) => translate({ sessionId: "s", cwd: "/p", ...payload })[0];
  expect(firstEvent({ hookEventName: "sessionStart", source: "new" })).toMatchObject({
    phase: "started",
    source: "new",
  });
  expect(firstEvent({ hookName: "SessionEnd", reason: "complete" })).toMatchObject({
    phase: "ended",
    reason: "complete",
  });
  expect(firstEvent({ hookEventName: "userPromptSubmitted", prompt: "go" })).toMatchObject({
    eventType: "turn.start",
    prompt: "go",
  });
  expect(firstEvent({ event: "agentStop", response: "seen" })).toMatchObject({
    eventType: "turn.end",
    lastAssistantMessage: "seen",
  });
  expect(firstEvent({ hookEventName: "preToolUse", toolName: "bash" })).toMatchObject({
    eventType: "agent.event",
    name: "preToolUse",
  });
});

describe("the agent table", () => {
  const { transcripts: _none, ...rest } = claude;
  const silentAgent: AgentAdapter = { ...rest, id: "silent", recognises: () => "possible" };
  const table = createAgentTable([claude, silentAgent, unknown]);
  const ambiguous = { session_id: "s", hook_event_name: "Stop" };

  it("uses the hooks' owner only to break ties", () => {
    const transcript_path = "/h/.claude/projects/-p/s.jsonl";
    expect(table.identifyCaller(ambiguous).id).toBe("claude");
    expect(table.identifyCaller(ambiguous, { hookOwner: null }).id).toBe("claude");
    expect(table.identifyCaller(ambiguous, { hookOwner: "silent" }).id).toBe("silent");
    expect(table.identifyCaller({ ...ambiguous, transcript_path }, { hookOwner: "silent" }).id).toBe(
      "claude",
    );
    expect(agents.identifyCaller({ x: 1 }, { hookOwner: "claude" }).id).toBe("unknown");
  });

  it("finds every agent except the unknown one", () => {
    expect(["claude", "silent", "unknown", "nobody"].map((id) => table.findAgent(id)?.id)).toEqual([
      "claude",
      "silent",
      undefined,
      undefined,
    ]);
  });

  it("reads a transcript in its agent's format, and an unknown agent's in the first one available", () => {
    expect(table.transcriptsOf("claude")).toBe(claude.transcripts);
    expect(table.transcriptsOf("silent")).toBeUndefined();
    expect(table.transcriptsOf("unknown")).toBe(claude.transcripts);
    expect(table.transcriptsOf("hookline")).toBe(claude.transcripts);
    expect(table.transcriptsIn("/anywhere", {})).toBe(claude.transcripts);
  });
});
