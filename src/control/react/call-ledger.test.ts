import { afterEach, beforeEach, expect, it } from "vitest";
import { createCallLedger } from "./call-ledger.ts";
import { openReactionWorld, type ReactionWorld } from "./reaction-world.testing.ts";

let world: ReactionWorld;
beforeEach(() => {
  world = openReactionWorld();
});
afterEach(() => world.close());

const recordCall = (id: string, tool: string, input: object, fields: object = {}) =>
  world.emit({
    hook_event_name: "PostToolUse",
    tool_name: tool,
    tool_use_id: id,
    tool_input: input,
    tool_response: { stdout: "" },
    ...fields,
  });
const names = async (ledger: ReturnType<typeof createCallLedger>, since: "session" | "turn" | "edit") =>
  (await ledger.calls("s1", since)).map(({ toolInput }) => Object.values(toolInput as object)[0]);

it("lists successful calls of the session, of the turn, and since the last edit", async () => {
  const ledger = createCallLedger(world.options);
  world.emit({ hook_event_name: "UserPromptSubmit", prompt: "one" });
  recordCall("a", "Bash", { command: "npm test" });
  recordCall("b", "Edit", { file_path: "/a.ts" });
  world.emit({ hook_event_name: "UserPromptSubmit", prompt: "two", prompt_id: "p2" });
  expect(await names(ledger, "turn")).toEqual([]);
  recordCall("c", "Bash", { command: "ls" }, { prompt_id: "p2" });
  world.emit({ hook_event_name: "UserPromptSubmit", prompt: "<task-notification>", prompt_id: "p3" });
  recordCall("d", "Bash", { command: "sleep 9" }, { tool_response: { backgroundTaskId: "x" } });
  world.emit({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "e", tool_input: {} });
  recordCall("f", "Bash", { command: "other" }, { session_id: "s2" });
  expect(await names(ledger, "session")).toEqual(["npm test", "/a.ts", "ls"]);
  expect(await names(ledger, "turn")).toEqual(["ls"]);
  expect(await names(ledger, "edit")).toEqual(["ls"]);
});

it("lists only the commands of a shell line that are known to have succeeded", async () => {
  const ledger = createCallLedger(world.options);
  for (const [index, command] of [
    "npm test || true",
    "npm test 2>&1 | head -3",
    "bash -c 'npm test; true'",
  ].entries())
    recordCall(`m${index}`, "Bash", { command }, { tool_response: { stdout: "# pass 1\n# fail 1" } });
  recordCall("a", "Bash", { command: "npm run lint; npm test" });
  recordCall(
    "b",
    "Bash",
    { command: "npm test | tail -5" },
    { tool_response: { stdout: "# pass 3\n# fail 0" } },
  );
  expect(await names(ledger, "session")).toEqual(["head -3", "true", "npm test", "npm test\ntail -5"]);
});

it("reads a session again after the database was rebuilt", async () => {
  const ledger = createCallLedger(world.options);
  for (let n = 0; n < 1_200; n++) recordCall(`t${n}`, "Bash", { command: `echo ${n}` });
  expect(await names(ledger, "session")).toHaveLength(1_200);
  const [first, second] = world.stored.splice(0);
  world.stored.push({ seq: 1, event: second!.event }, { seq: 2, event: first!.event });
  expect(await names(ledger, "session")).toEqual(["echo 1", "echo 0"]);
  recordCall("new", "Bash", { command: "new" });
  expect(await names(ledger, "session")).toEqual(["echo 1", "echo 0", "new"]);
});
