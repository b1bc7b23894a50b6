import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callFactId, callKey, callRowId, factId, rowId } from "../../src/event/ids.ts";
import { createScratch, type Scratch } from "../support/claude.ts";
import { homeOf, installAndUp, queryDatabase, runHookline } from "../support/cli.ts";

// Some models number their calls per session: `call_1` of one session is not `call_1` of another.

let scratch: Scratch;
let count = 0;
beforeAll(async () => {
  scratch = await createScratch();
  await installAndUp(scratch);
});
afterAll(() => scratch.cleanup());

function drop(payload: object): void {
  const spool = join(homeOf(scratch), "spool");
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  writeFileSync(join(spool, `1-${++count}-0`), `${JSON.stringify(payload)}\n`);
}

const base = (session_id: string) => ({ session_id, cwd: scratch.project, prompt_id: `${session_id}-p` });
const tool = (session: string, id: string, command: string) => ({
  ...base(session),
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: id,
});
const begin = (session: string, id: string, command: string): void =>
  drop({ ...tool(session, id, command), hook_event_name: "PreToolUse" });
const end = (session: string, id: string, command: string): void =>
  drop({
    ...tool(session, id, command),
    hook_event_name: "PostToolUse",
    tool_response: { stdout: `${command} of ${session}`, stderr: "", interrupted: false },
  });

const told = () =>
  queryDatabase(
    scratch,
    `SELECT e.id, e.session_id AS session, json_extract(e.payload_json, '$.toolInput.command') AS command
     FROM events e WHERE event_type IN ('tool.start', 'tool_observation') ORDER BY session, e.id`,
  );
const observed = () =>
  queryDatabase(
    scratch,
    `SELECT o.id, s.claude_session_id AS session, json_extract(o.tool_input_json, '$.command') AS command
     FROM observations o JOIN sdk_sessions s ON s.id = o.session_id ORDER BY session`,
  );
const doing = async (session: string): Promise<unknown> =>
  JSON.parse((await runHookline(scratch, ["session", session, "--json"])).stdout).session.action;

const sessionsFound = async (): Promise<string[]> => {
  const run = await runHookline(scratch, ["search", "make", "--tool", "Bash", "--all", "--json"]);
  const { hits } = JSON.parse(run.stdout) as { hits: { sessionId: string }[] };
  return hits.map(({ sessionId }) => sessionId).sort();
};

it("separates calls of two sessions with the same id, in every view and after a rebuild", async () => {
  for (const session of ["one-1111", "two-2222"]) {
    drop({ ...base(session), hook_event_name: "UserPromptSubmit", prompt: `work ${session}` });
    begin(session, "call_1", `make ${session}`);
  }
  // Both run: neither is mistaken for the other.
  await expect
    .poll(() => doing("one-1111"))
    .toMatchObject({
      toolUseId: "call_1",
      text: expect.stringContaining("make one"),
    });
  await expect
    .poll(() => doing("two-2222"))
    .toMatchObject({
      toolUseId: "call_1",
      text: expect.stringContaining("make two"),
    });
  end("one-1111", "call_1", "make one-1111");
  await expect.poll(() => doing("one-1111")).not.toMatchObject({ toolUseId: "call_1" });
  await expect.poll(() => doing("two-2222")).toMatchObject({ toolUseId: "call_1" });
  end("two-2222", "call_1", "make two-2222");
  await expect.poll(sessionsFound).toEqual(["one-1111", "two-2222"]);
  expect(told()).toHaveLength(4);
  expect(observed()).toMatchObject([
    { session: "one-1111", command: "make one-1111" },
    { session: "two-2222", command: "make two-2222" },
  ]);
  const before = [told(), observed()];
  expect((await runHookline(scratch, ["rebuild"])).code).toBe(0);
  expect([told(), observed()]).toEqual(before);
});

it("forgets one of them and keeps the other", async () => {
  expect((await runHookline(scratch, ["forget", "--session", "one-1111", "--yes"])).code).toBe(0);
  expect(observed()).toMatchObject([{ session: "two-2222" }]);
  expect(told().map(({ session }) => session)).toEqual(["two-2222", "two-2222"]);
});

describe("the key of a call", () => {
  const call = { provider: "claude", sessionId: "s", toolUseId: "toolu_01" };

  it("is Claude's own id alone", () => {
    expect(callKey(call)).toBe("toolu_01");
    expect(callFactId(call, "end")).toBe(factId("tool", "toolu_01", "end"));
    expect(callFactId({ ...call, sessionId: "another" }, "end")).toBe("3a776b69-f76c-5e53-a903-c28d37ca2000");
    expect(callRowId(call)).toBe(rowId("observation", "toolu_01"));
  });

  it("is the same in our own events about the call", () => {
    for (const toolUseId of ["toolu_01", "call_1"])
      expect(callKey({ ...call, toolUseId, provider: "hookline" })).toBe(callKey({ ...call, toolUseId }));
  });

  it("adds provider and session to every other id", () => {
    const others = [
      { ...call, toolUseId: "call_1" },
      { ...call, toolUseId: "call_1", sessionId: "t" },
      { ...call, toolUseId: "call_1", provider: "codex" },
      { ...call, provider: "unknown" },
      { ...call, toolUseId: "tooluse_a" },
      { ...call, toolUseId: "0" },
    ];
    const ids = others.flatMap((each) => [
      callFactId(each, "start"),
      callFactId(each, "end"),
      callRowId(each),
    ]);
    expect(new Set([...ids, callFactId(call, "start"), callFactId(call, "end"), callRowId(call)]).size).toBe(
      21,
    );
  });
});
