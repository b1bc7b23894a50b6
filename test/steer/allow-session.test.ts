import { afterEach, beforeEach, expect, it } from "vitest";
import { type HookedHome, openHookedHome, type ToolRequest } from "../support/hooked-home.ts";

// "Just this, for the session" lasts as long as the process that asked.

const SESSION = "aaaa0000-0000-4000-8000-000000000002";
const BUILD: ToolRequest = { session: SESSION, input: { command: "touch build/*" } };

let home: HookedHome;
beforeEach(async () => {
  home = await openHookedHome();
  await home.startTurn(SESSION);
  const { id, output } = await home.requestPermission(BUILD);
  expect((await home.hookline.run("answer", id, "a")).code).toBe(0);
  expect(await output).toContain('"behavior":"allow"');
  // It would be held for a minute otherwise.
  await home.fire({
    hook_event_name: "PermissionRequest",
    session_id: SESSION,
    cwd: home.hookline.root,
    prompt_id: `${SESSION}-1`,
    tool_name: "Bash",
    tool_input: BUILD.input,
  });
  expect(await home.cards()).toEqual([]);
});
afterEach(() => home?.hookline.close());

const goesOn = () =>
  home.fire({
    hook_event_name: "SessionStart",
    session_id: SESSION,
    cwd: home.hookline.root,
    source: "resume",
  });

it("asks again in a session that was resumed after a crash", async () => {
  await goesOn();
  await home.hookline.settle();
  await home.startTurn(SESSION);
  expect(await home.requestPermission(BUILD)).toBeDefined();
});

it("asks again in a session that was resumed while recording was paused", async () => {
  expect((await home.hookline.run("pause")).code).toBe(0);
  await goesOn();
  await home.hookline.settle();
  expect((await home.hookline.run("pause", "--end")).code).toBe(0);
  await home.startTurn(SESSION);
  expect(await home.requestPermission(BUILD)).toBeDefined();
});
