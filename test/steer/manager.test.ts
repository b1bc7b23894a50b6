import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { ClaudeManager, type ManagerEvent } from "../../src/control/claude-manager.ts";
import type { StandaloneOptions } from "../../src/control/open-standalone.ts";
import { claudeBinary, claudeEnv, createScratch, type Scratch } from "../support/claude.ts";
import { type FakeApi, openFakeApi, type Script, type ToolCall } from "../support/fake-api.ts";
import { PATIENCE_MS } from "../support/patience.ts";

// The manager as another program uses it: standalone, with the real Agent SDK, against the fake API.

interface Managed {
  readonly manager: ClaudeManager;
  readonly scratch: Scratch;
  readonly api: FakeApi;
  readonly events: ManagerEvent[];
  of<Type extends ManagerEvent["type"]>(type: Type): Extract<ManagerEvent, { readonly type: Type }>[];
  see<Type extends ManagerEvent["type"]>(type: Type): Promise<Extract<ManagerEvent, { readonly type: Type }>>;
  send(text: string, claudeSessionId?: string): Promise<void>;
}

let managed: Managed | undefined;
afterEach(async () => {
  await managed?.scratch.cleanup();
  managed = undefined;
});

async function manage(script: Script, options: StandaloneOptions = {}): Promise<Managed> {
  const scratch = await createScratch();
  const api = await openFakeApi(script);
  const events: ManagerEvent[] = [];
  const manager = new ClaudeManager((_sessionId, event) => void events.push(event), {
    env: { ...claudeEnv(scratch, { api }), HOOKLINE_HOME: join(scratch.home, ".hookline") },
    claude: claudeBinary,
    ...options,
  });
  scratch.onCleanup(() => api.close());
  scratch.onCleanup(() => manager.close());
  const of: Managed["of"] = (type) => events.filter((event) => event.type === type) as never;
  managed = {
    manager,
    scratch,
    api,
    events,
    of,
    async see(type) {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(10)) {
        const [found] = of(type);
        if (found !== undefined) return found;
      }
      throw new Error(`never came: ${type}; there is ${JSON.stringify(events)}`);
    },
    send: (text, claudeSessionId) =>
      manager.sendMessage("talk", text, { workingDir: scratch.project, claudeSessionId }),
  };
  return managed;
}

const bash = (command: string): { tools: ToolCall[] } => ({ tools: [{ name: "Bash", input: { command } }] });
const question = {
  question: "Which database?",
  header: "DB",
  multiSelect: false,
  options: [
    { label: "Postgres", description: "a" },
    { label: "SQLite", description: "b" },
  ],
};

it("emits init, states, text, tools and the result, with documented fields", async () => {
  const { manager, send, events, of, see } = await manage([
    { text: "I run it", ...bash("echo hi > made") },
    { text: "It ran" },
  ]);
  const sent = send("run it");
  const asked = await see("permission_request");
  expect(asked).toEqual({
    type: "permission_request",
    toolName: "Bash",
    toolInput: { command: "echo hi > made" },
    toolUseId: expect.stringMatching(/^toolu_/),
  });
  expect([...manager.pendingPermissions.keys()]).toEqual([asked.toolUseId]);
  expect(manager.pendingEvents.get("talk")).toEqual([asked]);
  expect(manager.sessions.get("talk")).toMatchObject({ state: { type: "awaiting_permission" } });
  expect(await manager.respondPermission("talk", asked.toolUseId, "allow")).toBe(true);
  await sent;

  expect(of("init")[0]).toEqual({
    type: "init",
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    model: expect.any(String),
    tools: expect.arrayContaining(["Bash", "Read"]),
  });
  expect(of("state").map(({ state }) => state)).toEqual(["working", "permission", "working", "idle"]);
  const updates = of("stateUpdate");
  expect(new Set(updates.map(({ state }) => state.type))).toEqual(
    new Set(["thinking", "responding", "tool"]),
  );
  expect(updates.find(({ state }) => state.type === "responding")).toEqual({
    type: "stateUpdate",
    state: { type: "responding" },
    partialText: "I run it",
  });
  expect(of("text").map(({ content }) => content)).toEqual(["I run it", "It ran"]);
  expect(of("textComplete")).toEqual([
    { type: "textComplete", text: "I run it" },
    { type: "textComplete", text: "It ran" },
  ]);
  expect(of("toolInfo")).toEqual([
    { type: "toolInfo", toolName: "Bash", input: { command: "echo hi > made" } },
  ]);
  expect(of("toolComplete")).toEqual([
    { type: "toolComplete", toolName: "Bash", success: true, result: expect.any(String), error: undefined },
  ]);
  expect(of("result")).toEqual([
    {
      type: "result",
      subtype: "end_turn",
      duration_ms: expect.any(Number),
      total_cost_usd: expect.any(Number),
      num_turns: 2,
      usage: { inputTokens: 200, outputTokens: 40, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
    },
  ]);
  expect(events.at(-1)).toEqual({ type: "state", state: "idle" });
  expect(manager.sessions.size).toBe(0);
  expect(manager.pendingEvents.size).toBe(0);
});

it("asks a question and passes on the answer", async () => {
  const { manager, send, see, api } = await manage([
    { tools: [{ name: "AskUserQuestion", input: { questions: [question] } }] },
    { text: "thanks" },
  ]);
  const sent = send("ask me");
  const asked = await see("askQuestion");
  expect(asked).toEqual({ type: "askQuestion", questions: [question], toolUseId: expect.any(String) });
  expect([...manager.pendingQuestions.keys()]).toEqual([asked.toolUseId]);
  expect(await manager.respondQuestion("talk", asked.toolUseId, "SQLite")).toBe(true);
  await sent;
  expect(api.requests.at(-1)!.lastUserText).toContain('"Which database?"="SQLite"');
  expect(await manager.respondQuestion("talk", asked.toolUseId, "Postgres")).toBe(false);
});

it("stops a turn: pending requests are withdrawn, and the result says that it was interrupted", async () => {
  const { manager, send, see, of, scratch } = await manage([bash("touch made"), { text: "fine" }]);
  const sent = send("run it");
  await see("permission_request");
  await manager.stop("talk");
  await sent;
  expect(of("result")).toMatchObject([{ subtype: "interrupted" }]);
  expect(of("state").at(-1)).toEqual({ type: "state", state: "idle" });
  expect(manager.pendingPermissions.size).toBe(0);
  expect(existsSync(join(scratch.project, "made"))).toBe(false);
});

it("denies, and resumes a session by id after a new one started", async () => {
  const { manager, send, see, of, api } = await manage(({ lastUserText }) =>
    lastUserText === "run it" ? bash("touch made") : { text: "fine" },
  );
  const sent = send("run it");
  const asked = await see("permission_request");
  await manager.respondPermission("talk", asked.toolUseId, "deny");
  await sent;
  expect(of("toolComplete")).toEqual([
    {
      type: "toolComplete",
      toolName: "Bash",
      success: false,
      result: undefined,
      error: expect.stringContaining("User denied"),
    },
  ]);
  const { session_id } = of("init")[0]!;
  await manager.newSession("talk");
  await send("anew");
  expect(of("init").at(-1)!.session_id).not.toBe(session_id);
  expect(JSON.stringify(api.requests.at(-1)!.body.messages)).not.toContain("run it");
  await send("go on", session_id);
  expect(of("init").at(-1)!.session_id).toBe(session_id);
  expect(JSON.stringify(api.requests.at(-1)!.body.messages)).toContain("run it");
});

it("interrupts the running turn for a new message", async () => {
  const { send, of, api, see } = await manage([{ text: "never", delayMs: 15_000 }, { text: "quick" }]);
  const first = send("slow");
  await see("init");
  while (api.requests.length === 0) await sleep(10);
  await send("now");
  await first;
  expect(of("result").map(({ subtype }) => subtype)).toEqual(["interrupted", "end_turn"]);
});

it("emits an error for a missing folder", async () => {
  const { manager, events } = await manage([]);
  await manager.sendMessage("talk", "hi", { workingDir: "/nowhere/at/all" });
  expect(events).toEqual([
    { type: "error", error: "Folder /nowhere/at/all not found." },
    { type: "state", state: "idle" },
  ]);
});

it("has more conversations than slots: an idle one is closed, and resumes with the next message", async () => {
  const { manager, scratch, api, of } = await manage(() => ({ text: "fine" }), { maxSessions: 1 });
  const say = (id: string, text: string) => manager.sendMessage(id, text, { workingDir: scratch.project });
  await say("one", "I am Bo");
  await say("two", "hello");
  await say("one", "Who am I?");
  expect(of("result").map(({ subtype }) => subtype)).toEqual(["end_turn", "end_turn", "end_turn"]);
  expect(of("error")).toEqual([]);
  expect(JSON.stringify(api.requests.findLast(({ isSide }) => !isSide)!.body.messages)).toContain("I am Bo");
});

it("says that servers of a .mcp.json are not used before a person approves them", async () => {
  const notices: string[] = [];
  const { send, of, scratch } = await manage([{ text: "Hello" }], {
    onNotice: (text) => notices.push(text),
  });
  const servers = { mcpServers: { memory: { command: "node", args: ["server.js"], cwd: "./mcp" } } };
  await scratch.write(".mcp.json", JSON.stringify(servers));
  await scratch.write("CLAUDE.md", "Be brief.");
  await send("hi");
  const told = "Not used until you approve it with `hookline trust`: .mcp.json, CLAUDE.md.";
  expect(of("error")).toEqual([{ type: "error", error: told }]);
  expect(notices).toEqual([told]);
  expect(of("result")[0]).toMatchObject({ subtype: "end_turn" });
});

it("logs the SDK traffic to logs/sdk-<date>.jsonl, masked, unless that is switched off", async () => {
  const secret = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
  const { send, of, scratch } = await manage([{ text: "Hello" }]);
  await send(`use ${secret}`);
  const logs = join(scratch.home, ".hookline/logs");
  const name = readdirSync(logs).find((file) => /^sdk-\d{4}-\d\d-\d\d\.jsonl$/.test(file))!;
  const text = readFileSync(join(logs, name), "utf8");
  expect(text).not.toContain(secret);
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(new Set(lines.map(({ direction }) => direction))).toEqual(new Set(["input", "output"]));
  expect(lines[0]).toMatchObject({
    timestamp: expect.any(String),
    sessionId: of("init")[0]!.session_id,
    data: expect.anything(),
  });
  await scratch.cleanup();

  const quiet = await manage([{ text: "Hello" }], { sdkLog: false });
  await quiet.send("hi");
  expect(existsSync(join(quiet.scratch.home, ".hookline/logs"))).toBe(false);
});

it("writes no SDK log for an excluded project", async () => {
  const { send, scratch, of } = await manage([{ text: "Hello" }]);
  mkdirSync(join(scratch.home, ".hookline"), { recursive: true });
  const config = { exclude: [`${scratch.project}**`] };
  writeFileSync(join(scratch.home, ".hookline/config.json"), JSON.stringify(config));
  await send("hi");
  expect(of("result")).toHaveLength(1);
  expect(existsSync(join(scratch.home, ".hookline/logs"))).toBe(false);
});

it("stops a turn through the session's abort controller, and gives the next turn a new one", async () => {
  const { manager, send, see, of } = await manage([bash("echo 1 > made"), { text: "Again" }]);
  const sent = send("run it");
  await see("permission_request");
  manager.sessions.get("talk")!.abortController.abort();
  await sent;
  expect(of("state").at(-1)).toEqual({ type: "state", state: "idle" });
  expect(manager.pendingPermissions.size).toBe(0);
  await send("and now?");
  expect(of("textComplete").at(-1)).toEqual({ type: "textComplete", text: "Again" });
});
