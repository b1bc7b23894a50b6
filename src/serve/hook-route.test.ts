import { describe, expect, it } from "vitest";
import { type AppPorts, createApp } from "./app.ts";
import { type HookPayload, toHookPayload } from "./hook-route.ts";

const newId = () => "made-up";

describe("a hook over HTTP", () => {
  const heard: (readonly [string, HookPayload])[] = [];
  const hooks: NonNullable<AppPorts["hooks"]> = {
    async hook(agent, event, payload) {
      if (agent !== "claude") return { stored: false, error: `no agent ${agent} is known` };
      heard.push([event, payload]);
      return { stored: true, event_id: "e1" };
    },
    newId,
  };
  const app = createApp({ version: "1", hooks } as AppPorts, { token: "t", via: "socket", port: () => null });
  const post = async (path: string, body: string) => {
    const response = await app.request(path, { method: "POST", body });
    return { status: response.status, body: await response.json() };
  };

  it("says whether it was stored, and as what", async () => {
    expect(await post("/hook/claude/Stop", '{"session_id":"s"}')).toEqual({
      status: 200,
      body: { stored: true, event_id: "e1" },
    });
    expect(heard.at(-1)).toEqual(["Stop", { session_id: "s", hook_event_name: "Stop" }]);
    expect(await post("/hook/parrot/Stop", "{}")).toEqual({
      status: 200,
      body: { stored: false, error: "no agent parrot is known" },
    });
  });

  it("refuses what is no object", async () => {
    for (const body of ["", "[]", "{"]) expect((await post("/hook/claude/Stop", body)).status).toBe(400);
  });
});

describe("the payload", () => {
  it("is brought into the words of Claude Code's hooks", () => {
    const body = {
      session_id: "s",
      conversation_id: "c",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      tool_output: "12 passed",
      started_at: "2026-11-15T09:00:00.000Z",
      ended_at: "2026-11-15T09:00:01.500Z",
    };
    expect(toHookPayload("post-tool-use", body, newId)).toEqual({
      session_id: "s",
      conversation_id: "c",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      hook_event_name: "PostToolUse",
      tool_use_id: "made-up",
      tool_response: "12 passed",
      duration_ms: 1_500,
    });
    expect(toHookPayload("PostToolUse", { ...body, tool_error: "exit 1" }, newId)).toMatchObject({
      hook_event_name: "PostToolUseFailure",
      error: "exit 1",
    });
  });

  it("of Claude Code itself stays as it is", () => {
    const own = { session_id: "s", tool_use_id: "toolu_1", tool_response: { stdout: "" }, duration_ms: 3 };
    expect(toHookPayload("PostToolUse", own, newId)).toEqual({ ...own, hook_event_name: "PostToolUse" });
    expect(toHookPayload("user_prompt_submit", { prompt: "a" }, newId)).toEqual({
      prompt: "a",
      hook_event_name: "UserPromptSubmit",
    });
  });
});
