import { describe, expect, it } from "vitest";
import { subjectOf, toolLabel } from "../conversation/call-subject.ts";
import { barAt, toLanes } from "./lanes.ts";
import { pairCalls } from "./pair-calls.ts";
import { type SessionEvent, sortEvents } from "./session-event.ts";
import { squeezeTime } from "./squeezed-time.ts";
import { readStory } from "./story.ts";

let seq = 0;
const event = (second: number, eventType: string, overrides: Record<string, unknown> = {}): SessionEvent => ({
  seq: ++seq,
  id: `e${seq}`,
  eventType,
  occurredAtIso: new Date(second * 1_000).toISOString(),
  ...overrides,
});
const start = (second: number, toolUseId: string, overrides = {}) =>
  event(second, "tool.start", {
    toolUseId,
    payload: { toolName: "Bash", toolInput: { command: "ls" } },
    ...overrides,
  });
const end = (second: number, toolUseId: string, payload = {}, overrides = {}) =>
  event(second, "tool_observation", {
    toolUseId,
    payload: { toolName: "Bash", toolInput: { command: "ls" }, success: true, ...payload },
    ...overrides,
  });

describe("pairing calls", () => {
  it("pairs by id, in any order", () => {
    const calls = pairCalls(
      sortEvents([end(5, "b"), start(3, "b"), start(1, "a"), end(4, "a", { success: false })]),
      true,
    );
    expect(calls.map(({ key, status, startMs, endMs }) => [key, status, startMs, endMs])).toEqual([
      ["a", "failed", 1_000, 4_000],
      ["b", "ok", 3_000, 5_000],
    ]);
  });

  it("derives the start from the duration, and never ends a call before its start", () => {
    expect(pairCalls([end(9, "a", { durationMs: 4_000 })], true)[0]).toMatchObject({
      startMs: 5_000,
      endMs: 9_000,
    });
    expect(pairCalls([end(1, "a"), start(2, "a")], true)[0]).toMatchObject({ startMs: 1_000, endMs: 1_000 });
  });

  it("keeps a call running until its turn or session ends", () => {
    const open = start(1, "a", { promptId: "p" });
    expect(pairCalls([open], true)[0]).toMatchObject({ status: "running", endMs: null });
    expect(pairCalls([open, event(6, "turn.end", { promptId: "p" })], true)[0]).toMatchObject({
      status: "unfinished",
      endMs: 6_000,
    });
    expect(pairCalls([open, event(8, "notification")], false)[0]).toMatchObject({ endMs: 8_000 });
  });

  it("detects denied calls and calls that asked a person", () => {
    const asked = event(2, "permission", { phase: "requested", toolUseId: "a" });
    const denied = event(3, "permission", { phase: "denied", toolUseId: "b" });
    const calls = pairCalls([start(1, "a"), asked, start(1, "b"), denied], true);
    expect(calls.map(({ status, asked: isAsked }) => [status, isAsked])).toEqual([
      ["running", true],
      ["denied", false],
    ]);
  });

  it("accepts payloads of any shape", () => {
    const payloads = [null, 3, "x", [], { toolName: 4, toolInput: [], durationMs: "long" }];
    const events = payloads.map((payload, index) => event(index, "tool_observation", { payload }));
    expect(pairCalls(events, true)).toHaveLength(payloads.length);
  });
});

describe("the story", () => {
  it("orders prompts, answers and calls, and nests a subagent's entries under its call", () => {
    const { entries, subagents } = readStory(
      sortEvents([
        event(1, "turn.start", { promptId: "p", prompt: "do it" }),
        event(2, "assistant.message", {
          blocks: { "1": { type: "text", text: "I will" }, "0": { type: "thinking" } },
        }),
        event(3, "tool.start", { toolUseId: "t", payload: { toolName: "Agent", toolInput: {} } }),
        event(4, "subagent.lifecycle", {
          phase: "started",
          agentId: "x",
          description: "Look",
          parentToolUseId: "t",
        }),
        start(5, "inner", { agentId: "x" }),
        end(6, "inner", {}, { agentId: "x" }),
        event(7, "subagent.lifecycle", {
          phase: "stopped",
          agentId: "x",
          agentType: "Explore",
          lastAssistantMessage: "found",
        }),
        event(9, "turn.end", { promptId: "p", lastAssistantMessage: "done" }),
      ]),
      true,
    );
    expect(entries.map(({ type }) => type)).toEqual(["prompt", "answer", "call", "answer", "turnEnd"]);
    expect(entries[2]).toMatchObject({ inner: [{ type: "call" }, { type: "answer", text: "found" }] });
    expect(subagents).toMatchObject([{ label: "Look", parentCall: "t", startMs: 4_000, endMs: 7_000 }]);
  });

  it("shows the last answer once, even if the hook shortened it", () => {
    const message = event(2, "assistant.message", {
      blocks: { "0": { type: "text", text: "All done. And more." } },
    });
    const turnEnd = event(3, "turn.end", { lastAssistantMessage: "All done." });
    expect(readStory([message, turnEnd], true).entries.map(({ type }) => type)).toEqual([
      "answer",
      "turnEnd",
    ]);
  });

  it("shows a private prompt without its text", () => {
    const { entries } = readStory([event(1, "turn.start", { private: true, prompt: "secret" })], true);
    expect(entries).toMatchObject([{ type: "prompt", text: null }]);
  });

  it("shows a forgotten prompt without its text", () => {
    const { entries } = readStory([event(1, "turn.start", { forgotten: true })], true);
    expect(entries).toMatchObject([{ type: "prompt", text: null, isForgotten: true }]);
  });

  it("shows a request released without an answer as released, not settled", () => {
    const settledAs = (by: string) => {
      const card = { cardId: "c1", outcome: by === "user" ? "deny" : "withdrawn", by };
      return readStory([event(1, "control.card", { phase: "settled", card })], true).entries.at(-1);
    };
    for (const by of ["timeout", "cancelled", "stopped"])
      expect(settledAs(by)).toMatchObject({ kind: "released", text: "" });
    expect(settledAs("user")).toMatchObject({ kind: "settled", text: "deny" });
  });

  it("shows who settled a driven session's request, and marks its call as asked", () => {
    const envelope = { toolUseId: "a", outcome: "allow", by: "user", who: "browser" };
    const { entries, calls } = readStory(
      [
        start(1, "a"),
        event(2, "control.envelope", { phase: "permission.request", toolUseId: "a", envelope: {} }),
        event(3, "control.envelope", { phase: "permission.resolved", toolUseId: "a", envelope }),
      ],
      true,
    );
    expect(calls[0]?.asked).toBe(true);
    expect(entries.at(-1)).toMatchObject({ kind: "settled", text: "allow", detail: "browser" });
  });

  it("merges the compaction reports of hook and transcript", () => {
    const events = [
      event(1, "compaction", { phase: "completed", trigger: "auto", summary: "what was" }),
      event(2, "compaction", { phase: "boundary", preTokens: 168_000, postTokens: 21_000 }),
    ];
    expect(readStory(events, true).entries).toMatchObject([
      { kind: "compaction", text: "auto, 168k → 21k", detail: "what was" },
    ]);
  });

  it("keeps the entries of a subagent without a known call", () => {
    expect(readStory([start(1, "a", { agentId: "x" })], true).entries).toHaveLength(1);
  });
});

describe("lanes", () => {
  it("puts the main agent first, and stacks concurrent calls", () => {
    const { calls, subagents } = readStory(
      sortEvents([
        start(1, "a"),
        end(9, "a"),
        start(2, "b"),
        end(3, "b"),
        start(4, "c"),
        end(5, "c"),
        start(4, "d", { agentId: "x" }),
      ]),
      true,
    );
    const lanes = toLanes(calls, subagents, 20_000);
    expect(lanes.map(({ key, rows, bars }) => [key, rows, bars.map(({ row }) => row)])).toEqual([
      ["main", 2, [0, 1, 1]],
      ["x", 1, [0]],
    ]);
    expect(lanes[1]?.bars[0]?.toMs).toBe(20_000);
    expect(barAt(lanes[0]!.bars, 2_500, 1, 0)?.call.key).toBe("b");
    expect(barAt(lanes[0]!.bars, 3_400, 1, 500)?.call.key).toBe("b");
    expect(barAt(lanes[0]!.bars, 3_400, 1, 100)).toBeNull();
  });

  it("has at most four rows", () => {
    const calls = pairCalls(
      Array.from({ length: 50 }, (_, n) => start(1, `c${n}`)),
      true,
    );
    expect(toLanes(calls, [], 9_000)[0]?.rows).toBe(4);
  });
});

describe("squeezed time", () => {
  const hour = 3_600_000;
  const time = squeezeTime([
    [10 * hour, 10 * hour + 60_000],
    [0, 60_000],
  ]);

  it("squeezes a long gap and keeps everything else to scale", () => {
    expect(time.toOffset(60_000) - time.toOffset(0)).toBe(60_000);
    expect(time.lengthMs).toBeLessThan(3 * 60_000);
    expect(time.gaps).toEqual([{ fromMs: 60_000, toMs: 10 * hour }]);
  });

  it("converts offsets back to times", () => {
    for (const ms of [0, 30_000, 60_000, 5 * hour, 10 * hour + 1, 10 * hour + 60_000])
      expect(time.fromOffset(time.toOffset(ms))).toBeCloseTo(ms, 0);
  });

  it("accepts an empty session", () => {
    expect(squeezeTime([]).toOffset(5)).toBe(0);
  });
});

describe("a call's subject", () => {
  it("is the relative path, the command, the pattern or the question", () => {
    expect(subjectOf({ toolName: "Read", input: { file_path: "/w/a/src/x.ts" } }, "/w/a")).toBe("src/x.ts");
    expect(subjectOf({ toolName: "Bash", input: { command: "npm test\nmore" } }, null)).toBe("npm test");
    expect(subjectOf({ toolName: "Grep", input: { pattern: "x", path: "/w/a/src" } }, "/w/a")).toBe(
      "x  in src",
    );
    expect(
      subjectOf({ toolName: "AskUserQuestion", input: { questions: [{ question: "Which?" }] } }, null),
    ).toBe("Which?");
    expect(subjectOf({ toolName: "odd", input: { a: 1, b: "two", $blob: "x" } }, null)).toBe("a: 1  b: two");
    expect(subjectOf({ toolName: "odd", input: null }, null)).toBe("");
    expect(toolLabel("mcp__memory__search")).toBe("memory ▸ search");
  });
});

it("shows machine prompts without their tags", () => {
  const prompt =
    '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>Background command "Build" completed</summary>\n</task-notification>';
  const { entries } = readStory(
    [
      event(1, "turn.start", { prompt: "build it", promptId: "p1" }),
      event(2, "turn.start", { prompt, machine: true, promptId: "p2" }),
      event(3, "turn.start", {
        prompt: "<teammate-message from='ann'>look\nhere</teammate-message>",
        machine: true,
        promptId: "p3",
      }),
    ],
    false,
  );
  expect(entries).toMatchObject([
    { type: "prompt", isMachine: false, text: "build it" },
    { type: "prompt", isMachine: true, text: 'Background command "Build" completed' },
    { type: "prompt", isMachine: true, text: "look here" },
  ]);
});
