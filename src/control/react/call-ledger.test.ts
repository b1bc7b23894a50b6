import { afterEach, beforeEach, expect, it } from "vitest";
import { createCallLedger } from "./call-ledger.ts";
import { openReactionWorld, type ReactionWorld } from "./reaction-world.testing.ts";

let world: ReactionWorld;
beforeEach(() => {
  world = openReactionWorld();
});
afterEach(() => world.close());

const ran = (id: string, tool: string, input: object, more: object = {}) =>
  world.happen({
    hook_event_name: "PostToolUse",
    tool_name: tool,
    tool_use_id: id,
    tool_input: input,
    tool_response: { stdout: "" },
    ...more,
  });
const names = async (ledger: ReturnType<typeof createCallLedger>, since: "session" | "turn" | "edit") =>
  (await ledger.calls("s1", since)).map(({ toolInput }) => Object.values(toolInput as object)[0]);

it("knows what ended well, of the session, of the turn, since the last edit", async () => {
  const ledger = createCallLedger(world.options);
  world.happen({ hook_event_name: "UserPromptSubmit", prompt: "one" });
  ran("a", "Bash", { command: "npm test" });
  ran("b", "Edit", { file_path: "/a.ts" });
  world.happen({ hook_event_name: "UserPromptSubmit", prompt: "two", prompt_id: "p2" });
  expect(await names(ledger, "turn")).toEqual([]);
  ran("c", "Bash", { command: "ls" }, { prompt_id: "p2" });
  world.happen({ hook_event_name: "UserPromptSubmit", prompt: "<task-notification>", prompt_id: "p3" });
  ran("d", "Bash", { command: "sleep 9" }, { tool_response: { backgroundTaskId: "x" } });
  world.happen({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "e", tool_input: {} });
  ran("f", "Bash", { command: "other" }, { session_id: "s2" });
  expect(await names(ledger, "session")).toEqual(["npm test", "/a.ts", "ls"]);
  expect(await names(ledger, "turn")).toEqual(["ls"]);
  expect(await names(ledger, "edit")).toEqual(["ls"]);
});

it("knows of a shell line only the commands whose own status, or whose runner's summary, says that they ended well", async () => {
  const ledger = createCallLedger(world.options);
  for (const [at, command] of [
    "npm test || true",
    "npm test 2>&1 | head -3",
    "bash -c 'npm test; true'",
  ].entries())
    ran(`m${at}`, "Bash", { command }, { tool_response: { stdout: "# pass 1\n# fail 1" } });
  ran("a", "Bash", { command: "npm run lint; npm test" });
  ran("b", "Bash", { command: "npm test | tail -5" }, { tool_response: { stdout: "# pass 3\n# fail 0" } });
  expect(await names(ledger, "session")).toEqual(["head -3", "true", "npm test", "npm test\ntail -5"]);
});

it("reads a session again when the database was made anew", async () => {
  const ledger = createCallLedger(world.options);
  for (let n = 0; n < 1_200; n++) ran(`t${n}`, "Bash", { command: `echo ${n}` });
  expect(await names(ledger, "session")).toHaveLength(1_200);
  const [first, second] = world.stored.splice(0);
  world.stored.push({ seq: 1, event: second!.event }, { seq: 2, event: first!.event });
  expect(await names(ledger, "session")).toEqual(["echo 1", "echo 0"]);
  ran("new", "Bash", { command: "new" });
  expect(await names(ledger, "session")).toEqual(["echo 1", "echo 0", "new"]);
});
