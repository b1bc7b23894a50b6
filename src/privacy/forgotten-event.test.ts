import { describe, expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { mergeEvents } from "../event/merge.ts";
import { contentOf, forgetContent, stripIfForgotten } from "./forgotten-event.ts";

const base: HooklineEvent = {
  v: 1,
  id: "e",
  eventType: "tool_observation",
  occurredAtIso: "2026-01-01T00:00:00.000Z",
  sessionId: "s",
  provider: "claude",
  projectPath: "/p",
  cwd: "/p",
  promptId: "p",
  toolUseId: "t",
  transcriptPath: "/home/me/.claude/x.jsonl",
  origin: "hook",
};
const call = (origin: HooklineEvent["origin"], toolOutput: string): HooklineEvent => ({
  ...base,
  origin,
  payload: { toolName: "Bash", toolInput: { command: "secret" }, toolOutput, durationMs: 5, success: true },
});

describe("forgetContent", () => {
  it("keeps that the event happened, when, where and whether it succeeded", () => {
    const bare = forgetContent(call("hook", "secret"));
    expect(JSON.stringify(bare)).not.toMatch(/secret|x\.jsonl/);
    expect(bare).toMatchObject({
      id: "e",
      forgotten: true,
      private: true,
      payload: { toolName: "Bash", success: true },
    });
    expect(forgetContent(bare)).toEqual(bare);
  });

  it("gives the same result whether reports are merged before or after", () => {
    const [hook, batch] = [call("hook", "one"), call("batch", "two")];
    const merged = forgetContent(mergeEvents(hook, batch));
    expect(stripIfForgotten(mergeEvents(forgetContent(hook), forgetContent(batch)))).toEqual(merged);
    expect(stripIfForgotten(mergeEvents(forgetContent(hook), batch))).toEqual(merged);
    expect(stripIfForgotten(mergeEvents(batch, forgetContent(hook)))).toEqual(merged);
  });

  it("does not mark a forgotten prompt private, because the rest of its turn is not forgotten", () => {
    const prompt = { ...base, eventType: "turn.start", prompt: "secret" };
    expect(forgetContent(prompt)).not.toHaveProperty("private");
    expect(forgetContent({ ...prompt, private: true })).toHaveProperty("private", true);
  });
});

it("contentOf returns text and paths, but no ids, times or names of kinds", () => {
  const content = JSON.stringify(
    contentOf({ ...call("hook", "words"), model: "claude-x", source: "startup" }),
  );
  expect(content).toMatch(/words/);
  expect(content).toMatch(/"cwd":"\/p"/);
  expect(content).not.toMatch(/claude|startup|2026|Bash|tool_observation/);
  const { payload } = contentOf({ ...base, payload: { toolName: "mcp__acme__ask", toolInput: null } });
  expect(payload).toMatchObject({ toolName: "mcp__acme__ask" });
});
