import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { realRun, varied } from "./payloads.ts";

let hookline: Hookline;
beforeAll(begin);
afterAll(() => hookline.close());

async function begin(): Promise<void> {
  hookline = openHookline();
  await hookline.start();
  await hookline.settle();
}

/** For cases that leave files in the spool, or affect the whole home. */
async function beginAnew(): Promise<void> {
  await hookline.close();
  await begin();
}

const silent = { code: 0, stdout: "", stderr: "" };

function event(sessionId: string): Record<string, unknown> | undefined {
  return hookline.query("SELECT * FROM events WHERE session_id = ?", sessionId)[0];
}

it("leaves empty, invalid and partial JSON in the spool, and blocks nothing", async () => {
  onTestFinished(beginAnew);
  for (const stdin of ["", "hello\n", '{"hook_event_name":"Stop","session_id":"half'])
    expect(await hookline.fireRaw(stdin)).toEqual(silent);
  await hookline.fire({ hook_event_name: "Stop", session_id: "whole" });
  const status = await hookline.ask<{ spoolDepth: number }>("POST", "/api/flush");
  // Torn only after a minute: until then a hook may still be writing.
  expect(status.spoolDepth).toBe(3);
  expect(event("whole")).toMatchObject({ event_type: "turn.end" });
});

it.each([
  ["a JSON text", '"text"\n'],
  ["a number", "7\n"],
  ["null", "null\n"],
  ["a list", "[1,2]\n"],
  ["an event nobody knows", '{"hook_event_name":"Tomorrow","session_id":"unknown","x":[1]}\n'],
])("%s is an event, kept whole", async (_what, stdin) => {
  const known = unknownEvents();
  expect(await hookline.fireRaw(stdin)).toEqual(silent);
  await hookline.settle();
  const stored = unknownEvents().filter((text) => !known.includes(text));
  expect(stored.map((text) => JSON.parse(text) as unknown)).toMatchObject([{ eventType: "agent.event" }]);
});

function unknownEvents(): string[] {
  const rows = hookline.query("SELECT payload_json FROM events WHERE session_id = 'unknown'");
  return rows.map((row) => row["payload_json"] as string);
}

function promptsOf(sessions: string): unknown[] {
  const sql = `SELECT prompt FROM user_prompts p JOIN sdk_sessions s ON s.id = p.session_id
    WHERE s.claude_session_id LIKE ?`;
  return hookline.query(sql, sessions).map((row) => row["prompt"]);
}

it("loses a character to invalid UTF-8, not the event", async () => {
  const text = Buffer.from(
    '{"hook_event_name":"UserPromptSubmit","session_id":"utf","prompt_id":"p","prompt":"a?b"}\n',
  );
  text[text.indexOf("?")] = 0xff;
  expect(await hookline.fireRaw(text)).toEqual(silent);
  await hookline.settle();
  expect(promptsOf("utf")).toEqual(["a\ufffdb"]);
});

it("keeps U+2028, NUL, a lone surrogate and a newline in strings through log, database and rebuild", async () => {
  await beginAnew();
  const prompt = "a\u2028b\u2029c\u0000d\ud800e\nf";
  await hookline.fire({ hook_event_name: "UserPromptSubmit", session_id: "odd", prompt_id: "p", prompt });
  await hookline.settle();
  expect(promptsOf("odd")).toEqual(["a\u2028b\u2029c\u2400d\ufffde\nf"]);
  const logged = readFileSync(join(hookline.home.stream, "lifecycle.jsonl"), "utf8").split("\n");
  expect(logged).toHaveLength(2);
  const before = hookline.dump();
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  expect(hookline.dump()).toEqual(before);
});

it("accepts any text as folder or id of a session, without delaying others", async () => {
  const loop = join(hookline.root, "loop");
  symlinkSync(loop, loop);
  const folders = ["\0", `/${"x".repeat(300)}`, `/x`.repeat(3_000), loop, "../../..", "/proc/self/mem"];
  const ids = [...folders.map((_, index) => `folder-${index}`), "i".repeat(300), "a\0b", "/../../x"];
  for (const [index, id] of ids.entries()) {
    const cwd = folders[index] ?? "/x";
    await hookline.fire({ hook_event_name: "SessionStart", source: "startup", session_id: id, cwd });
    await hookline.fire({ hook_event_name: "Stop", session_id: id, cwd });
  }
  expect(await hookline.settle()).toMatchObject({ spoolDepth: 0, notices: [] });
  for (const id of ids)
    expect(hookline.query("SELECT event_type FROM events WHERE session_id = ?", id)).toHaveLength(2);
});

it("accepts and truncates a 50 MB payload, without delaying later ones for long", async () => {
  const content = "const line = 'of a very large file';\n".repeat(1_400_000);
  const payload = {
    hook_event_name: "PostToolUse",
    session_id: "large",
    tool_name: "Write",
    tool_use_id: "toolu_large",
    tool_input: { file_path: "/x/large.ts", content },
    tool_response: { type: "create", filePath: "/x/large.ts", content },
  };
  expect(JSON.stringify(payload).length).toBeGreaterThan(50e6);
  expect(await hookline.fire(payload)).toEqual(silent);
  await hookline.fire({ hook_event_name: "Stop", session_id: "next" });
  await hookline.settle();
  expect(event("next")).toBeDefined();
  const stored = event("large")!["payload_json"] as string;
  expect(stored.length).toBeLessThan(20_000);
  expect(JSON.parse(stored)).toMatchObject({ toolName: "Write", metadata: { filePath: "/x/large.ts" } });
});

it("is not blocked by a file that is too large or nested too deep", async () => {
  onTestFinished(beginAnew);
  const fd = openSync(join(hookline.home.spool, "1-1-0"), "w", 0o600);
  ftruncateSync(fd, 3 * 1024 ** 3);
  closeSync(fd);
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  expect(await hookline.fireRaw(`{"hook_event_name":"Stop","session_id":"deep","x":${deep}}\n`)).toEqual(
    silent,
  );
  await hookline.fire({ hook_event_name: "Stop", session_id: "after" });
  await hookline.ask("POST", "/api/flush");
  expect(event("after")).toBeDefined();
  expect(event("deep")).toBeDefined();
  expect(hookline.spoolFiles()).toEqual(["1-1-0"]);
});

it("records 200 concurrent hooks as 200 events", async () => {
  const [, prompt] = realRun("skill").map(({ payload }) => payload);
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, i) => hookline.fire(varied(prompt!, `crowd-${i % 7}`, String(i)))),
  );
  expect(results.every((result) => result.code === 0 && result.stderr === "")).toBe(true);
  await hookline.settle();
  expect(promptsOf("crowd-%")).toHaveLength(200);
});

it("is silent without HOME, and works with HOOKLINE_HOME", async () => {
  await beginAnew();
  const { HOME: _home, HOOKLINE_HOME: _own, ...bare } = hookline.env;
  const { runCommand } = await import("../hook/run-command.ts");
  const { recordCommand } = await import("../../src/hook/commands.ts");
  const { claude } = await import("../../src/agents/claude/claude.ts");
  expect(await runCommand(recordCommand(claude), { env: bare })).toMatchObject(silent);
  expect(
    await runCommand(recordCommand(claude), {
      env: { ...bare, HOOKLINE_HOME: hookline.home.dir },
      input: '{"hook_event_name":"Stop","session_id":"homeless"}\n',
    }),
  ).toMatchObject(silent);
  await hookline.settle();
  expect(event("homeless")).toBeDefined();
  expect(readdirSync(hookline.root)).toEqual([".hookline"]);
});
