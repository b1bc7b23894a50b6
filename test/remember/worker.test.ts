import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rowId } from "../../src/event/ids.ts";
import { until } from "../support/cli.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
let url: string;

beforeEach(async () => {
  hookline = openHookline({ config: { serve: { compat: true }, memory: { embedder: null } } });
  await hookline.start();
  url = `http://127.0.0.1:${(await hookline.status()).port}`;
});
afterEach(() => hookline.close());

/** Requests as clients send them: no content type, no token, and a timeout of two seconds. */
async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const signal = AbortSignal.timeout(2_000);
  const response = await fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body), signal });
  expect(response.status, path).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

describe.each(["", "/api"])("a client of the worker under %j", (prefix) => {
  const session = `claude-session-${prefix.length}`;

  it("writes its session, prompts, observations and summary, and shows its end to other clients", async () => {
    const cwd = hookline.root;
    const stream = await hookline.ask<{ streamId: string }>("GET", "/api/sessions");
    const begun = await post(`${prefix}/sessions/init`, {
      sessionId: session,
      project: "p",
      cwd,
      userPrompt: "Add login",
    });
    expect(begun).toMatchObject({ status: "ok", promptNumber: 1, sessionDbId: rowId("session", session) });
    const again = { project: "p", userPrompt: "Add login", promptNumber: 1 };
    await post(`${prefix}/sessions/${String(begun["sessionDbId"])}/init`, again);
    await post(`${prefix}/sessions/observations`, {
      claudeSessionId: session,
      tool_name: "Read",
      tool_input: { file_path: "/src/index.ts" },
      tool_response: "file contents...",
      cwd,
    });
    await post(`${prefix}/sessions/summarize`, {
      claudeSessionId: session,
      last_user_message: "Add login",
      last_assistant_message: "The login is in src/index.ts. Next: tests.",
    });
    await post(`${prefix}/processing`, { isProcessing: false });
    await post(`${prefix}/sessions/complete`, { claudeSessionId: session, reason: "exit" });
    await hookline.settle();
    await until(() => hookline.query("SELECT 1 FROM session_summaries").length > 0);

    expect(
      hookline.query("SELECT claude_session_id, project, prompt_counter, status FROM sdk_sessions"),
    ).toEqual([
      {
        claude_session_id: session,
        project: hookline.root,
        prompt_counter: 1,
        status: "completed",
      },
    ]);
    expect(hookline.query("SELECT prompt_number, prompt FROM user_prompts")).toEqual([
      { prompt_number: 1, prompt: "Add login" },
    ]);
    expect(hookline.query("SELECT prompt_number, tool_name, tool_response_text FROM observations")).toEqual([
      { prompt_number: 1, tool_name: "Read", tool_response_text: "file contents..." },
    ]);
    expect(hookline.query("SELECT request FROM session_summaries")).toEqual([{ request: "Add login" }]);

    const { sessions } = await hookline.ask<{ sessions: object[] }>("GET", "/api/sessions");
    expect(sessions).toMatchObject([{ sessionId: session, state: "completed", endReason: "exit" }]);
    expect(await patchesSince(stream.streamId, '"completed"')).toContain(session);
  });
});

it("serves a project's digest as plain text, and health without a token", async () => {
  const health = await fetch(`${url}/health`);
  expect(await health.json()).toMatchObject({ status: "ok" });
  const digest = await fetch(`${url}/api/context/inject?project=${encodeURIComponent("no such")}`);
  expect([digest.status, await digest.text()]).toEqual([200, ""]);
  expect((await fetch(`${url}/api/search?q=login`)).status).toBe(401);
});

it("stores a hook over HTTP under its own id", async () => {
  const payload = {
    session_id: "s1",
    cwd: hookline.root,
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_output: "a",
  };
  const answer = await hookline.ask<Record<string, unknown>>("POST", "/hook/claude/post-tool-use", payload);
  expect(answer).toEqual({ stored: true, event_id: expect.any(String) });
  await hookline.settle();
  expect(hookline.query("SELECT event_type FROM events WHERE id = ?", String(answer["event_id"]))).toEqual([
    { event_type: "tool_observation" },
  ]);
  expect(await hookline.ask("POST", "/hook/parrot/Stop", {})).toMatchObject({ stored: false });
});

it("answers a hook over HTTP with context for the agent where there is some", async () => {
  const times = { started_at: "2026-11-15T09:00:00Z", ended_at: "2026-11-15T09:00:01Z" };
  const payload = { session_id: "s2", conversation_id: "c", tool_name: "Bash", ...times };
  const post = (more: object): Promise<Record<string, unknown>> =>
    hookline.ask("POST", "/hook/claude/PostToolUse", { ...payload, ...more });
  const failed = { tool_input: { command: "make all" }, tool_output: "", tool_error: "make: *** Error 2" };
  expect(await post(failed)).toEqual({ stored: true, event_id: expect.any(String) });
  expect(await post({ ...failed, tool_input: { command: "make all 2>&1 | tail" } })).toMatchObject({
    stored: true,
    feedback: "`make all` has now failed 2 times in a row.",
  });
  const token = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
  const shown = await post({ tool_input: { command: "env" }, tool_output: `GH=${token}` });
  expect(shown["feedback"]).toContain("a secret (github-token)");
});

/** What the stream sends after a position, until a text appears. */
async function patchesSince(streamId: string, until: string): Promise<string> {
  const token = readFileSync(hookline.home.tokenFile, "utf8").trim();
  const stop = AbortSignal.timeout(5_000);
  const headers = { authorization: `Bearer ${token}`, "last-event-id": streamId };
  const response = await fetch(`${url}/api/stream`, { headers, signal: stop });
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes(until)) break;
  }
  return text;
}
