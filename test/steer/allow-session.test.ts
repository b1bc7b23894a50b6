import { afterEach, beforeEach, expect, it } from "vitest";
import { type Ask, type HookedHome, openHookedHome } from "../support/fire-hooks.ts";

// "Just this, for the session" lasts as long as the process that asked.

const SESSION = "aaaa0000-0000-4000-8000-000000000002";
const BUILD: Ask = { session: SESSION, input: { command: "touch build/*" } };

let home: HookedHome;
beforeEach(async () => {
  home = await openHookedHome();
  await home.begins(SESSION);
  const { id, said } = await home.asks(BUILD);
  expect((await home.hookline.run("answer", id, "a")).code).toBe(0);
  expect(await said).toContain('"behavior":"allow"');
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
  await home.begins(SESSION);
  expect(await home.asks(BUILD)).toBeDefined();
});

it("asks again in one that was resumed while recording was paused", async () => {
  expect((await home.hookline.run("pause")).code).toBe(0);
  await goesOn();
  await home.hookline.settle();
  expect((await home.hookline.run("pause", "--end")).code).toBe(0);
  await home.begins(SESSION);
  expect(await home.asks(BUILD)).toBeDefined();
});
