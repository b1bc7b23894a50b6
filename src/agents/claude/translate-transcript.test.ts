import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_TYPES, type NewEvent, parseEvent } from "../../event/event.ts";
import { factId } from "../../event/ids.ts";
import { openClaudeTranscript } from "./translate-transcript.ts";

const FIXTURES = join(import.meta.dirname, "../../../test/fixtures/claude");

function translate(lines: readonly unknown[], path = "/home/dev/.claude/projects/p/s.jsonl"): NewEvent[] {
  const translator = openClaudeTranscript({ path }, (cwd) => cwd);
  return lines.flatMap((line) => translator.translateLine(line));
}

function read(path: string): unknown[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

const base = {
  sessionId: "s",
  cwd: "/home/dev/acme",
  isSidechain: false,
  userType: "external",
  version: "2.1.325",
};
let seconds = 0;
const nextTimestamp = () => new Date(Date.UTC(2026, 10, 15) + 1_000 * seconds++).toISOString();
const user = (content: unknown, fields: object = {}) => ({
  type: "user",
  ...base,
  timestamp: nextTimestamp(),
  message: { role: "user", content },
  ...fields,
});
const typedPrompt = (content: unknown, promptId: string) =>
  user(content, { promptId, promptSource: "typed", turnOrigin: "human" });
const assistant = (id: string, content: object, fields: object = {}) => ({
  type: "assistant",
  ...base,
  timestamp: nextTimestamp(),
  message: { id, model: "m", content: [content], usage: { output_tokens: 3 }, stop_reason: "end_turn" },
  ...fields,
});

describe("openClaudeTranscript", () => {
  const transcripts = [
    ...readdirSync(join(FIXTURES, "transcripts"), { recursive: true, encoding: "utf8" }).map((name) =>
      join("transcripts", name),
    ),
    ...readdirSync(join(FIXTURES, "runs"), { recursive: true, encoding: "utf8" }).map((name) =>
      join("runs", name),
    ),
  ].filter((name) => name.endsWith(".jsonl") && !name.endsWith("hooks.jsonl"));

  it.each(transcripts)("returns valid events for %s", (name) => {
    const events = translate(read(join(FIXTURES, name)));
    for (const event of events) expect(EVENT_TYPES).toContain(parseEvent(event).eventType);
    expect(transcripts.length).toBeGreaterThan(15);
  });

  it("drops the CLI's own prompts", () => {
    const marker = "OWN-PROMPT-OF-THE-CLI";
    const events = translate([
      typedPrompt("hello", "p1"),
      { type: "api-request", ...base, timestamp: nextTimestamp(), body: marker },
      { type: "api-request-blob", ...base, hash: "h", message: marker },
      { type: "api-request-shape", ...base, system: marker },
      {
        type: "attachment",
        ...base,
        timestamp: nextTimestamp(),
        attachment: { type: "prompt_snapshot", systemPrompt: [marker] },
      },
      {
        type: "attachment",
        ...base,
        timestamp: nextTimestamp(),
        attachment: { type: "skill_listing", content: marker },
      },
      user(marker, { isMeta: true, promptId: "p1" }),
      user(marker, { isCompactSummary: true, promptId: "p1", turnPosition: {} }),
      { type: "last-prompt", lastPrompt: marker, sessionId: "s" },
      {
        type: "queue-operation",
        operation: "enqueue",
        content: marker,
        timestamp: nextTimestamp(),
        sessionId: "s",
      },
      {
        type: "system",
        subtype: "informational",
        content: marker,
        uuid: "u",
        ...base,
        timestamp: nextTimestamp(),
      },
      assistant("m1", { type: "thinking", thinking: marker }),
    ]);
    expect(events.length).toBeGreaterThan(1);
    expect(JSON.stringify(events)).not.toContain(marker);
  });

  it("restores a slash command as typed, and ends its skill with the turn", () => {
    const slash =
      "<command-message>spec</command-message>\n<command-name>/spec</command-name>\n<command-args>docs/a.md</command-args>";
    const events = translate([
      user(slash, { promptId: "p1", turnOrigin: "human" }),
      assistant("m1", { type: "text", text: "done" }),
      {
        type: "system",
        subtype: "turn_duration",
        durationMs: 5,
        uuid: "u1",
        ...base,
        timestamp: nextTimestamp(),
      },
    ]);
    expect(events.map(({ eventType, phase }) => [eventType, phase])).toEqual([
      ["turn.start", undefined],
      ["skill.lifecycle", "in_progress"],
      ["assistant.message", undefined],
      ["skill.lifecycle", "completed"],
      ["agent.event", undefined],
    ]);
    expect(events[0]).toMatchObject({ prompt: "/spec docs/a.md" });
    expect(events[1]).toMatchObject({ skillName: "spec", targetDocPath: "docs/a.md" });
  });

  it("starts no turn for local commands, bash mode, interruptions and summaries", () => {
    const model = "<command-name>/model</command-name>\n            <command-message>model</command-message>";
    const lines = [
      user(model, { promptId: "p1" }),
      user("<local-command-stdout>ok</local-command-stdout>", { promptId: "p1" }),
      user("<bash-input>ls</bash-input>", { promptId: "p2" }),
      user("<bash-stdout>a</bash-stdout>", { promptId: "p2", turnOrigin: "human" }),
      user([{ type: "text", text: "[Request interrupted by user for tool use]" }], { promptId: "p2" }),
    ];
    expect(translate(lines)).toEqual([]);
  });

  describe("lines that a fork copied from another session", () => {
    const copied = "2026-11-14T00:00:00.000Z";
    const first = () => ({
      type: "queue-operation",
      operation: "enqueue",
      timestamp: nextTimestamp(),
      sessionId: "s",
    });
    const fork = { forkedFrom: { sessionId: "o", messageUuid: "u" } };
    const old = assistant("m-old", { type: "text", text: "old" }, { timestamp: copied });

    it("report only the model's usage, as inherited and without text", () => {
      const events = translate([
        first(),
        { ...typedPrompt("old", "p9"), timestamp: copied },
        old,
        old,
        { ...assistant("m-none", { type: "text", text: "x" }), timestamp: copied, message: { id: "m-none" } },
        typedPrompt("new", "p9"),
      ]);
      expect(events.map((event) => event["name"] ?? event["prompt"])).toEqual([
        "inherited-message",
        "inherited-message",
        "new",
      ]);
      expect(events[0]).toMatchObject({
        id: factId("inherited", "s", "m-old"),
        eventType: "agent.event",
        occurredAtIso: copied,
        promptId: undefined,
        data: { messageId: "m-old", model: "m", usage: { output_tokens: 3 } },
      });
      expect(JSON.stringify(events[0])).not.toContain('"old"');
    });

    it("report nothing for a branch, whose costs start at zero", () => {
      const events = translate([
        { ...typedPrompt("old", "p8"), ...fork },
        { ...old, ...fork },
        typedPrompt("new", "p9"),
      ]);
      expect(events.map((event) => event["prompt"])).toEqual(["new"]);
    });

    it.each([
      ["fork", 3],
      ["branch", 0],
    ])("as in the recorded run %s", (name, count) => {
      const root = join(FIXTURES, "runs", name, "projects");
      const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
        file.endsWith(".jsonl"),
      );
      const ids = files.flatMap((file) =>
        translate(read(join(root, file)))
          .filter((event) => event["name"] === "inherited-message")
          .map((event) => event.id),
      );
      expect(new Set(ids).size).toBe(count);
    });
  });

  it("reports title changes, with the user's apart from generated ones", () => {
    const custom = (customTitle: string) => ({ type: "custom-title", customTitle, sessionId: "s" });
    const events = translate([
      { type: "ai-title", aiTitle: "Anvil pricing", sessionId: "s" },
      typedPrompt("first", "p1"),
      { type: "ai-title", aiTitle: "Anvil pricing", sessionId: "s" },
      custom("anvils"),
      { type: "agent-name", agentName: "anvils", sessionId: "s" },
      typedPrompt("second", "p2"),
      custom("anvils"),
      custom("hammers"),
      { type: "agent-name", agentName: "smith", sessionId: "s" },
      custom(""),
      custom("anvils"),
    ]);
    const titles = events.filter((event) => event["name"] === "title");
    expect(titles.map(({ data, promptId }) => [promptId, data])).toEqual([
      ["p1", { title: "Anvil pricing", kind: "ai" }],
      ["p1", { title: "anvils", kind: "custom" }],
      ["p2", { title: "hammers", kind: "custom" }],
      ["p2", { title: "smith", kind: "agent" }],
      ["p2", { title: "anvils", kind: "custom" }],
    ]);
    expect(new Set(titles.map(({ id }) => id)).size).toBe(5);
    expect(titles[0]?.occurredAtIso).toBe(events[0]?.occurredAtIso);
  });

  it("reports an interruption under its turn, but not the same text typed by a person", () => {
    const text = "[Request interrupted by user for tool use]";
    const events = translate([
      typedPrompt("go", "p1"),
      user([{ type: "text", text }], { promptId: "p1", uuid: "u1", interruptedMessageId: "m1" }),
      user("[Request interrupted by user]", { promptId: "p1", uuid: "u2" }),
      user([{ type: "text", text }], { promptId: "p1", uuid: "u3", isSidechain: true, agentId: "a" }),
      typedPrompt("[Request interrupted by user] is what I saw", "p2"),
    ]);
    expect(events.slice(1)).toMatchObject([
      { id: factId("line", "u1"), name: "interrupted", promptId: "p1", data: { messageId: "m1" } },
      { id: factId("line", "u2"), name: "interrupted", promptId: "p1" },
      { eventType: "turn.start", promptId: "p2" },
    ]);
  });

  it("reports the status, message and reset time of an API error", () => {
    const failed = (error: unknown) => ({
      type: "system",
      subtype: "api_error",
      ...base,
      timestamp: nextTimestamp(),
      uuid: `u${seconds}`,
      retryInMs: 1000,
      error,
    });
    const rateLimits = { rateLimitType: "five_hour", resetsAt: 1794729057 };
    const events = translate([
      failed({ status: 429, formatted: "429 Slow down", message: "429 {…}", rateLimits }),
      failed({ status: 529, message: "Overloaded\nmore", rateLimits: null }),
      failed({ status: 429, headers: { "anthropic-ratelimit-unified-reset": "1794729057" } }),
      failed("no object"),
      failed({ rateLimits: { resetsAt: 1e300 } }),
    ]);
    expect(events.map((event) => JSON.parse(JSON.stringify(event["data"])) as unknown)).toEqual([
      { retryInMs: 1000, status: 429, message: "429 Slow down", resetsAtIso: "2026-11-15T07:50:57.000Z" },
      { retryInMs: 1000, status: 529, message: "Overloaded" },
      { retryInMs: 1000, status: 429, resetsAtIso: "2026-11-15T07:50:57.000Z" },
      { retryInMs: 1000 },
      { retryInMs: 1000 },
    ]);
  });

  it("keeps the error, text and reset time of a synthetic answer for a failed turn", () => {
    const text = "You've hit your 5-hour limit · resets 7:50am (UTC)";
    const [event] = translate([
      {
        ...assistant("m1", { type: "text", text }),
        message: { id: "m1", model: "<synthetic>", content: [{ type: "text", text }] },
        error: "rate_limit",
        isApiErrorMessage: true,
        apiErrorStatus: 429,
        quotaLimits: { status: "rejected", resetsAt: 1794729057, rateLimitType: "five_hour" },
      },
    ]);
    expect(event).toMatchObject({
      model: "<synthetic>",
      error: "rate_limit",
      errorStatus: 429,
      resetsAtIso: "2026-11-15T07:50:57.000Z",
      blocks: { "0": { type: "text", text } },
    });
  });

  it("keeps the requested model name if it says more than the response", () => {
    const [withRequestedName, plain] = translate([
      assistant("m1", { type: "text", text: "a" }, { requestedModel: "m[1m]" }),
      assistant("m2", { type: "text", text: "a" }, { requestedModel: "m" }),
    ]);
    expect(withRequestedName).toMatchObject({ model: "m", requestedModel: "m[1m]" });
    expect(plain?.["requestedModel"]).toBeUndefined();
  });

  it("gives a queued prompt the id under which it was announced", () => {
    const [first, , later] = translate([
      typedPrompt("first", "p1"),
      {
        type: "queue-operation",
        operation: "enqueue",
        content: "later",
        timestamp: nextTimestamp(),
        sessionId: "s",
      },
      {
        type: "attachment",
        ...base,
        timestamp: nextTimestamp(),
        attachment: { type: "queued_command", prompt: "now", commandMode: "prompt" },
      },
      { ...typedPrompt("later", "p2"), promptSource: "queued" },
    ]);
    const [announced] = translate([typedPrompt("later", "p1")]);
    expect(first?.promptId).toBe("p1");
    expect(later).toMatchObject({ id: announced!.id, promptId: "p2" });
  });

  it("gives all lines of a message one id, with separate blocks", () => {
    const lines = [
      assistant("m1", { type: "text", text: "a" }, { apiBlockIndex: 0 }),
      assistant(
        "m1",
        { type: "tool_use", id: "t1", name: "Read", input: { file_path: "x.md" } },
        { apiBlockIndex: 1 },
      ),
      assistant(
        "m1",
        { type: "tool_use", id: "t2", name: "Read", input: { file_path: "~/y.md" } },
        { apiBlockIndex: 2 },
      ),
    ];
    const events = translate(lines);
    const messages = events.filter((event) => event.eventType === "assistant.message");
    expect(new Set(messages.map((event) => event.id)).size).toBe(1);
    expect(messages.flatMap((event) => Object.keys(event["blocks"] as object))).toEqual(["0", "1", "2"]);
    const calls = events.filter((event) => event.eventType === "tool.start");
    expect(calls.map((event) => [event["batchKey"], event["batchIndex"]])).toEqual([
      ["t1", 0],
      ["t1", 1],
    ]);
    expect(calls.map((event) => event.payload?.metadata?.filePath)).toEqual([
      "/home/dev/acme/x.md",
      "/home/dev/y.md",
    ]);
  });

  it("is total on any JSON", () => {
    const types = ["user", "assistant", "system", "attachment", "queue-operation", "cost-state", "ai-title"];
    const line = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(
          fc.constantFrom(...types),
          fc.dictionary(
            fc.constantFrom("message", "sessionId", "timestamp", "uuid", "error", "aiTitle", "promptId", "x"),
            fc.jsonValue(),
          ),
        )
        .map(([type, fields]) => ({ ...fields, type })),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        for (const event of translate(lines)) parseEvent(event);
      }),
    );
  });
});
