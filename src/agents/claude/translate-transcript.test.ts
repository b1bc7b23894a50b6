import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_TYPES, type NewEvent, parseEvent } from "../../event/event.ts";
import { openClaudeTranscript } from "./translate-transcript.ts";

const FIXTURES = join(import.meta.dirname, "../../../test/fixtures/claude");

function translate(lines: readonly unknown[], path = "/home/dev/.claude/projects/p/s.jsonl"): NewEvent[] {
  const translator = openClaudeTranscript({ path }, (cwd) => cwd);
  return lines.flatMap((line) => translator.line(line));
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
let tick = 0;
const at = () => new Date(Date.UTC(2026, 10, 15) + 1_000 * tick++).toISOString();
const user = (content: unknown, more: object = {}) => ({
  type: "user",
  ...base,
  timestamp: at(),
  message: { role: "user", content },
  ...more,
});
const typed = (content: unknown, promptId: string) =>
  user(content, { promptId, promptSource: "typed", turnOrigin: "human" });
const assistant = (id: string, content: object, more: object = {}) => ({
  type: "assistant",
  ...base,
  timestamp: at(),
  message: { id, model: "m", content: [content], usage: { output_tokens: 3 }, stop_reason: "end_turn" },
  ...more,
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

  it.each(transcripts)("gives valid events for %s", (name) => {
    const events = translate(read(join(FIXTURES, name)));
    for (const event of events) expect(EVENT_TYPES).toContain(parseEvent(event).eventType);
    expect(transcripts.length).toBeGreaterThan(15);
  });

  it("keeps nothing of the CLI's own prompts", () => {
    const marker = "OWN-PROMPT-OF-THE-CLI";
    const events = translate([
      typed("hello", "p1"),
      { type: "api-request", ...base, timestamp: at(), body: marker },
      { type: "api-request-blob", ...base, hash: "h", message: marker },
      { type: "api-request-shape", ...base, system: marker },
      {
        type: "attachment",
        ...base,
        timestamp: at(),
        attachment: { type: "prompt_snapshot", systemPrompt: [marker] },
      },
      {
        type: "attachment",
        ...base,
        timestamp: at(),
        attachment: { type: "skill_listing", content: marker },
      },
      user(marker, { isMeta: true, promptId: "p1" }),
      user(marker, { isCompactSummary: true, promptId: "p1", turnPosition: {} }),
      { type: "last-prompt", lastPrompt: marker, sessionId: "s" },
      { type: "queue-operation", operation: "enqueue", content: marker, timestamp: at(), sessionId: "s" },
      { type: "system", subtype: "informational", content: marker, uuid: "u", ...base, timestamp: at() },
      assistant("m1", { type: "thinking", thinking: marker }),
    ]);
    expect(events.length).toBeGreaterThan(1);
    expect(JSON.stringify(events)).not.toContain(marker);
  });

  it("takes a slash command as the person typed it, and ends its skill with the turn", () => {
    const slash =
      "<command-message>spec</command-message>\n<command-name>/spec</command-name>\n<command-args>docs/a.md</command-args>";
    const events = translate([
      user(slash, { promptId: "p1", turnOrigin: "human" }),
      assistant("m1", { type: "text", text: "done" }),
      { type: "system", subtype: "turn_duration", durationMs: 5, uuid: "u1", ...base, timestamp: at() },
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

  it("makes no turn of local commands, bash mode, interruptions and summaries", () => {
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

  it("passes over what a fork copied from another session", () => {
    const own = at();
    const copied = "2026-11-14T00:00:00.000Z";
    const events = translate([
      { type: "queue-operation", operation: "enqueue", timestamp: own, sessionId: "s" },
      { ...typed("old", "p9"), timestamp: copied },
      { ...assistant("m-old", { type: "text", text: "old" }), timestamp: copied },
      { ...typed("branch", "p8"), forkedFrom: { sessionId: "o", messageUuid: "u" } },
      typed("new", "p9"),
    ]);
    expect(events.map((event) => event["prompt"])).toEqual(["new"]);
  });

  it("gives a prompt that was queued the id under which it was announced", () => {
    const [first, , later] = translate([
      typed("first", "p1"),
      { type: "queue-operation", operation: "enqueue", content: "later", timestamp: at(), sessionId: "s" },
      {
        type: "attachment",
        ...base,
        timestamp: at(),
        attachment: { type: "queued_command", prompt: "now", commandMode: "prompt" },
      },
      { ...typed("later", "p2"), promptSource: "queued" },
    ]);
    const [announced] = translate([typed("later", "p1")]);
    expect(first?.promptId).toBe("p1");
    expect(later).toMatchObject({ id: announced!.id, promptId: "p2" });
  });

  it("gives all lines of one message one id and keeps its blocks apart", () => {
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
    const types = ["user", "assistant", "system", "attachment", "queue-operation", "cost-state", "mode"];
    const line = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(
          fc.constantFrom(...types),
          fc.dictionary(
            fc.constantFrom("message", "sessionId", "timestamp", "uuid", "attachment", "promptId", "x"),
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
