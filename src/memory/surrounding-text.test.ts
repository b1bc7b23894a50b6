import { describe, expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { callIdsOf, messageTexts, textAroundCalls } from "./surrounding-text.ts";

type Block = { type: "text"; text: string } | { type: "tool_use"; toolUseId: string } | { type: "thinking" };
const text = (words: string): Block => ({ type: "text", text: words });
const call = (toolUseId: string): Block => ({ type: "tool_use", toolUseId });

function message(...blocks: Block[]): HooklineEvent {
  return {
    v: 1,
    id: "m",
    eventType: "assistant.message",
    occurredAtIso: "2026-01-01T00:00:00.000Z",
    sessionId: "s",
    provider: "claude",
    projectPath: null,
    cwd: null,
    origin: "transcript",
    blocks: Object.fromEntries(blocks.map((block, index) => [String(index), block])),
  };
}

describe("textAroundCalls", () => {
  it("returns the text before a call in its message, and the start of the next", () => {
    const words = textAroundCalls([
      message({ type: "thinking" }, text("First I read."), call("a"), text("And then"), call("b")),
      message(text("That was it."), call("c")),
    ]);
    expect(words.get("a")).toEqual({ before: "First I read.", after: "That was it." });
    expect(words.get("b")).toEqual({ before: "And then", after: "That was it." });
    expect(words.get("c")).toEqual({ before: "That was it.", after: null });
  });

  it("uses the message before if it has no calls", () => {
    const words = textAroundCalls([message(text("I will look.")), message(call("a")), message(call("b"))]);
    expect(words.get("a")).toEqual({ before: "I will look.", after: null });
    expect(words.get("b")).toEqual({ before: null, after: null });
  });

  it("gives parallel calls the same text", () => {
    const words = textAroundCalls([message(text("Both:"), call("a"), call("b"))]);
    expect(words.get("b")).toEqual({ before: "Both:", after: null });
  });

  it("messageTexts keeps the order of more than ten blocks", () => {
    const blocks = Array.from({ length: 12 }, (_, index) => text(`w${index}`));
    expect(messageTexts([message(...blocks)])).toEqual([blocks.map((_, index) => `w${index}`).join("\n")]);
  });

  it("ignores malformed blocks", () => {
    const malformed = {
      ...message(),
      blocks: { 0: null, 1: "x", 2: { type: "tool_use" }, 3: { type: "text", text: " " } },
    };
    expect(callIdsOf(malformed)).toEqual([]);
    expect(messageTexts([malformed, { ...malformed, blocks: "none" }])).toEqual([]);
  });
});
