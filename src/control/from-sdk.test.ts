import fc from "fast-check";
import { expect, it } from "vitest";
import { fromSdk } from "./from-sdk.ts";

const assistant = (content: unknown, fields: object = {}) => ({
  type: "assistant",
  message: { id: "msg_1", content },
  parent_tool_use_id: null,
  ...fields,
});

it("translates a text with its error, and the calls beside it", () => {
  const content = [
    { type: "thinking", thinking: "hm" },
    { type: "text", text: "hi" },
    { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } },
  ];
  expect(fromSdk(assistant(content, { error: "rate_limit", aborted: true }))).toEqual([
    { type: "text", text: "hi", messageId: "msg_1", parent: null, aborted: true, error: "rate_limit" },
    { type: "tool.start", toolUseId: "toolu_1", tool: "Bash", input: { command: "ls" }, parent: null },
  ]);
});

it("translates the end of a call with its output as text, truncated if long", () => {
  const user = (content: unknown, is_error = false) => ({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content, is_error }] },
    parent_tool_use_id: "toolu_0",
  });
  const end = { type: "tool.end", toolUseId: "toolu_1", tool: null, parent: "toolu_0" };
  expect(fromSdk(user("no", true))).toEqual([{ ...end, ok: false, output: "no" }]);
  const blocks = [{ type: "text", text: "a" }, { type: "image" }];
  expect(fromSdk(user(blocks))).toEqual([{ ...end, ok: true, output: "a\n[image]" }]);
  expect(fromSdk(user("x".repeat(50_000)))).toMatchObject([{ output: "x".repeat(10_000) }]);
});

it("translates deltas of the main conversation only", () => {
  const delta = (parent_tool_use_id: string | null) => ({
    type: "stream_event",
    parent_tool_use_id,
    event: { type: "content_block_delta", delta: { type: "text_delta", text: "h" } },
  });
  expect(fromSdk(delta(null))).toEqual([{ type: "delta", text: "h" }]);
  expect(fromSdk(delta("toolu_1"))).toEqual([]);
});

it("reports whether a task runs in the background, if the agent says so", () => {
  const task = (fields: object) => ({ type: "system", task_id: "b1", ...fields });
  const base = { type: "task", taskId: "b1", status: null };
  expect(fromSdk(task({ subtype: "task_started", description: "Wait", is_backgrounded: false }))).toEqual([
    { ...base, what: "started", description: "Wait", background: false },
  ]);
  expect(fromSdk(task({ subtype: "task_updated", patch: { is_backgrounded: true } }))).toEqual([
    { ...base, what: "updated", description: null, background: true },
  ]);
  expect(fromSdk(task({ subtype: "task_started", description: "Watch" }))).toEqual([
    { ...base, what: "started", description: "Watch" },
  ]);
});

it("takes the slash commands that do not need a terminal", () => {
  const init = { type: "system", subtype: "init", slash_commands: ["compact", "exit", 7] };
  expect(fromSdk({ ...init, terminal_slash_commands: ["exit"] })).toMatchObject([{ commands: ["compact"] }]);
  expect(fromSdk({ type: "system", subtype: "init" })).toMatchObject([{ commands: [] }]);
});

it("never throws on unknown messages", () => {
  expect(fromSdk({ type: "system", subtype: "something_new" })).toEqual([]);
  const types = ["system", "assistant", "user", "result", "stream_event", "command_lifecycle", "toString"];
  const anyMessage = fc.record({
    type: fc.constantFrom(...types),
    subtype: fc.constantFrom("init", "status", "api_retry", "task_started", "constructor", undefined),
    message: fc.anything(),
    event: fc.anything(),
    modelUsage: fc.anything(),
    state: fc.anything(),
  });
  fc.assert(
    fc.property(fc.oneof(anyMessage, fc.anything()), (message) => {
      expect(Array.isArray(fromSdk(message))).toBe(true);
    }),
  );
});
