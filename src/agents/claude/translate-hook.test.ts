import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_TYPES, type NewEvent, parseEvent } from "../../event/event.ts";
import { translateHook } from "./translate-hook.ts";

const FIXTURES = join(import.meta.dirname, "../../../test/fixtures/claude/2.1.325");
const fixtures = readdirSync(FIXTURES).filter((name) => !name.startsWith("_"));

function translate(payload: unknown): NewEvent[] {
  const delivery = {
    payload,
    env: {},
    name: "1-2-0",
    timeNs: "1700000000000000000",
    occurredAtIso: "2026-11-15T00:00:00.000Z",
    contentHash: () => "0",
    pid: 1,
  };
  return translateHook(delivery, (cwd) => cwd);
}

function fixture(name: string): NewEvent[] {
  return translate(JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8")));
}

describe("translateHook", () => {
  it.each(fixtures)("returns valid events of known types for %s", (name) => {
    const events = fixture(name.replace(/\.json$/, ""));
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      expect(EVENT_TYPES).toContain(parseEvent(event).eventType);
    }
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  });

  it("has fixtures for all 33 events", () => {
    expect(new Set(fixtures.map((name) => name.split(".")[0])).size).toBe(33);
  });

  it("derives the exit code of Bash: 0 on success, from the text on failure, none in the background", () => {
    const code = (name: string) => fixture(name)[0]?.payload?.metadata?.exitCode;
    expect(code("PostToolUse.Bash")).toBe(0);
    expect(code("PostToolUseFailure.Bash.exit-code")).toBe(3);
    expect(code("PostToolUseFailure.Bash.timeout")).toBe(143);
    expect(code("PostToolUse.Bash.background")).toBeUndefined();
  });

  it("derives a skill's start and end from the Skill tool's hooks", () => {
    const skills = [...fixture("PreToolUse.Skill"), ...fixture("PostToolUse.Skill")].filter(
      (event) => event.eventType === "skill.lifecycle",
    );
    expect(skills.map(({ phase, skillName, triggerCommand }) => [phase, skillName, triggerCommand])).toEqual([
      ["in_progress", "release-notes", "/release-notes v1.2"],
      ["completed", "release-notes", "/release-notes v1.2"],
    ]);
  });

  it("derives a skill's start from a slash command, with the document its arguments name", () => {
    const payload = {
      hook_event_name: "UserPromptExpansion",
      session_id: "s",
      prompt_id: "p",
      expansion_type: "slash_command",
      command_name: "spec",
      command_args: "please @docs/abc.md now",
      prompt: "/spec please @docs/abc.md now",
    };
    expect(translate(payload)[0]).toMatchObject({
      eventType: "skill.lifecycle",
      phase: "in_progress",
      skillName: "spec",
      triggerCommand: "/spec please @docs/abc.md now",
      targetDocPath: "docs/abc.md",
    });
  });

  it("marks a prompt that a machine wrote", () => {
    expect(fixture("UserPromptSubmit.task-notification")[0]).toMatchObject({
      eventType: "turn.start",
      machine: true,
    });
    expect(fixture("UserPromptSubmit")[0]?.["machine"]).toBeUndefined();
  });

  it("distinguishes the hidden compaction agent from a subagent", () => {
    expect(fixture("SubagentStop.compaction")[0]).toMatchObject({
      eventType: "compaction",
      phase: "summarized",
    });
    expect(fixture("SubagentStop.background_tasks")[0]).toMatchObject({ eventType: "subagent.lifecycle" });
  });

  it("keeps a call that only the batch reports, and its index in the message", () => {
    const [call] = fixture("PostToolBatch.x1.invalid-input");
    expect(call).toMatchObject({ eventType: "tool_observation", origin: "batch", batchIndex: 0 });
    expect(call?.payload).toMatchObject({ success: false });
    expect(fixture("PostToolBatch.x3").map((event) => event["batchIndex"])).toEqual([0, 1, 2]);
  });

  it("gives a call the same id from every source", () => {
    const fromHook = fixture("PostToolUse.Bash.subagent")[0];
    expect(fixture("PostToolBatch.subagent.x1")[0]?.id).toBe(fromHook?.id);
  });

  it("keeps unknown fields and events", () => {
    const [event] = translate({ hook_event_name: "Stop", session_id: "s", brand_new: { a: 1 } });
    expect(event?.["extra"]).toEqual({ brand_new: { a: 1 } });
    const [unknown] = translate({ hook_event_name: "NotYetInvented", session_id: "s", x: [1] });
    expect(unknown).toMatchObject({ eventType: "agent.event", name: "NotYetInvented", data: { x: [1] } });
  });

  it.each(["__proto__", "constructor", "toString"])("keeps a tool and an event named %s", (name) => {
    const call = {
      session_id: "s",
      tool_name: name,
      tool_use_id: "t",
      tool_input: {},
      tool_response: { a: 1 },
    };
    for (const event of ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"])
      expect(JSON.stringify(translate({ hook_event_name: event, ...call }))).toContain(name);
    expect(translate({ hook_event_name: name, session_id: "s" })).toMatchObject([
      { eventType: "agent.event", name },
    ]);
  });

  it("is total on any JSON", () => {
    const names = fixtures.map((name) => name.split(".")[0]!);
    const anyPayload = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(fc.constantFrom(...names), fc.dictionary(fc.string(), fc.jsonValue()))
        .map(([name, fields]) => ({
          ...fields,
          hook_event_name: name,
        })),
    );
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const events = translate(payload);
        expect(events.length).toBeGreaterThan(0);
        for (const event of events) parseEvent(event);
      }),
    );
  });
});
