import { describe, expect, it } from "vitest";
import { readHttpHook } from "./http-hook.ts";

const newId = () => "made-up";

describe("the payload of a hook over HTTP", () => {
  it("is converted to the fields of Claude Code's hooks", () => {
    const body = {
      session_id: "s",
      conversation_id: "c",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      tool_output: "12 passed",
      started_at: "2026-11-15T09:00:00.000Z",
      ended_at: "2026-11-15T09:00:01.500Z",
    };
    expect(readHttpHook("post-tool-use", body, newId)).toEqual({
      session_id: "s",
      conversation_id: "c",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      hook_event_name: "PostToolUse",
      tool_use_id: "made-up",
      tool_response: "12 passed",
      duration_ms: 1_500,
    });
    expect(readHttpHook("PostToolUse", { ...body, tool_error: "exit 1" }, newId)).toMatchObject({
      hook_event_name: "PostToolUseFailure",
      error: "exit 1",
    });
  });

  it("of Claude Code itself stays unchanged", () => {
    const payload = {
      session_id: "s",
      tool_use_id: "toolu_1",
      tool_response: { stdout: "" },
      duration_ms: 3,
    };
    expect(readHttpHook("PostToolUse", payload, newId)).toEqual({
      ...payload,
      hook_event_name: "PostToolUse",
    });
    expect(readHttpHook("user_prompt_submit", { prompt: "a" }, newId)).toEqual({
      prompt: "a",
      hook_event_name: "UserPromptSubmit",
    });
  });
});
