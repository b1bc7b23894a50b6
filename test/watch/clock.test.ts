import { renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionSnapshot, SessionsPage } from "../../src/serve/contract.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
let files: number;
let begunMs: number;
beforeEach(async () => {
  hookline = openHookline();
  [files, begunMs] = [0, Date.now()];
  await hookline.start();
});
afterEach(() => hookline.close());

const HOUR = 3_600;

/** Delivers a hook of that second by a clock that may have been moved, and waits until it is recorded. */
async function hook(seconds: number, event: string, fields: object = {}): Promise<void> {
  const payload = { session_id: "s1", cwd: hookline.root, hook_event_name: event, ...fields };
  const name = `${process.pid}-${1_000 + ++files}-0`;
  const draft = join(hookline.home.spool, `.${name}`);
  writeFileSync(draft, `${JSON.stringify(payload)}\n`);
  const at = begunMs / 1_000 + seconds;
  utimesSync(draft, at, at);
  renameSync(draft, join(hookline.home.spool, name));
  await hookline.settle();
}

async function shown(): Promise<SessionSnapshot> {
  const { sessions } = await hookline.ask<SessionsPage>("GET", "/api/sessions");
  expect(sessions).toHaveLength(1);
  return sessions[0]!;
}

const prompt = (id: string, text: string): object => ({ prompt_id: id, prompt: text });
const bash = (id: string): object => ({
  ...{ tool_name: "Bash", tool_input: { command: "rm -r dist" }, prompt_id: "p1" },
  ...(id !== "" && { tool_use_id: id }),
});

describe("a clock that goes back an hour while hooks fire", () => {
  it("between two turns changes no state, and loses nothing", async () => {
    await hook(-20, "SessionStart", { source: "startup" });
    await hook(-19, "UserPromptSubmit", prompt("p1", "one"));
    await hook(-10, "Stop", { prompt_id: "p1", last_assistant_message: "done one" });
    await hook(-HOUR, "UserPromptSubmit", prompt("p2", "two"));
    expect(await shown()).toMatchObject({ state: "active", activityPhase: "busy", lastUserMessage: "two" });
    await hook(-HOUR + 9, "Stop", { prompt_id: "p2", last_assistant_message: "done two" });
    expect(await shown()).toMatchObject({
      activityPhase: "interactable",
      lastAssistantMessage: "done two",
      turnCount: 2,
    });
    expect(await hookline.status()).toMatchObject({ events: files, quarantined: 0, refused: 0 });
  });

  it("between a request and its answer leaves no session waiting", async () => {
    await hook(-20, "SessionStart", { source: "startup" });
    await hook(-19, "UserPromptSubmit", prompt("p1", "one"));
    await hook(-18, "PreToolUse", bash("t1"));
    await hook(-17, "PermissionRequest", bash(""));
    expect(await shown()).toMatchObject({ activityPhase: "waiting_permission", needsPerson: true });
    await hook(-HOUR, "PostToolUse", { ...bash("t1"), tool_response: { stdout: "" } });
    expect(await shown()).toMatchObject({ activityPhase: "busy", waiting: null, humanWaitMs: 0 });
    await hook(-HOUR + 8, "PreToolUse", bash("t2"));
    await hook(-HOUR + 9, "PermissionRequest", bash(""));
    expect(await shown()).toMatchObject({ waiting: { toolUseId: "t2" } });
    await hook(-HOUR + 19, "Stop", { prompt_id: "p1" });
    expect(await shown()).toMatchObject({ activityPhase: "interactable", needsPerson: false });
  });

  it("between an end and a resume leaves the session running, until it ends again", async () => {
    await hook(-20, "SessionStart", { source: "startup" });
    await hook(-19, "UserPromptSubmit", prompt("p1", "one"));
    await hook(-10, "SessionEnd", { reason: "other" });
    expect(await shown()).toMatchObject({ state: "completed" });
    await hook(-HOUR, "SessionStart", { source: "resume" });
    await hook(-HOUR + 9, "UserPromptSubmit", prompt("p2", "two"));
    expect(await shown()).toMatchObject({ state: "active", activityPhase: "busy", lastUserMessage: "two" });
    await hook(-HOUR + 19, "SessionEnd", { reason: "clear" });
    expect(await shown()).toMatchObject({ state: "completed", endReason: "clear" });
  });
});
