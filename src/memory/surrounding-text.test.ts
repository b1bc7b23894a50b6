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

describe("the words around a call", () => {
  it("are those of its own message before it, and the first of the next", () => {
    const words = textAroundCalls([
      message({ type: "thinking" }, text("First I read."), call("a"), text("And then"), call("b")),
      message(text("That was it."), call("c")),
    ]);
    expect(words.get("a")).toEqual({ before: "First I read.", after: "That was it." });
    expect(words.get("b")).toEqual({ before: "And then", after: "That was it." });
    expect(words.get("c")).toEqual({ before: "That was it.", after: null });
  });

  it("are of the message before, when that only said something", () => {
    const words = textAroundCalls([message(text("I will look.")), message(call("a")), message(call("b"))]);
    expect(words.get("a")).toEqual({ before: "I will look.", after: null });
    expect(words.get("b")).toEqual({ before: null, after: null });
  });

  it("of calls made together are the same", () => {
    const words = textAroundCalls([message(text("Both:"), call("a"), call("b"))]);
    expect(words.get("b")).toEqual({ before: "Both:", after: null });
  });

  it("keep the order of the blocks, also past ten", () => {
    const blocks = Array.from({ length: 12 }, (_, index) => text(`w${index}`));
    expect(messageTexts([message(...blocks)])).toEqual([blocks.map((_, index) => `w${index}`).join("\n")]);
  });

  it("are none where a message is not as expected", () => {
    const odd = {
      ...message(),
      blocks: { 0: null, 1: "x", 2: { type: "tool_use" }, 3: { type: "text", text: " " } },
    };
    expect(callIdsOf(odd)).toEqual([]);
    expect(messageTexts([odd, { ...odd, blocks: "none" }])).toEqual([]);
  });
});
