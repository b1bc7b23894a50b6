import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionSnapshot } from "../../src/serve/contract.ts";
import { type HeldHook, type HookedHome, openHookedHome, type ToolRequest } from "../support/hooked-home.ts";

// An answered request no longer needs a person, whether or not the answer may be recorded.

const SESSION = "aaaa0000-0000-4000-8000-000000000012";
const BUILD: ToolRequest = { session: SESSION, input: { command: "touch build.txt" } };

let home: HookedHome;
let hook: HeldHook;
beforeEach(async () => {
  home = await openHookedHome({ holdSeconds: 600 });
  await home.startTurn(SESSION);
  hook = await home.requestPermission(BUILD);
  await expectWaiting(1);
});
afterEach(() => home?.hookline.close());

const run = async (...args: string[]): Promise<void> => {
  const { code, stderr } = await home.hookline.run(...args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
};

async function expectWaiting(count: number): Promise<void> {
  const read = async () => {
    const { steering } = await home.hookline.status();
    const { sessions } = await home.hookline.ask<{ sessions: SessionSnapshot[] }>("GET", "/api/sessions");
    const found = sessions.find(({ sessionId }) => sessionId === SESSION);
    return [steering?.requests.pending, found?.requests.length, found?.needsPerson];
  };
  const expected = [count, count, count > 0];
  await expect.poll(read).toEqual(expected);
}

describe("while recording is paused", () => {
  it("an answer from here settles the request in every count, and records nothing", async () => {
    await run("pause");
    const before = (await home.hookline.settle()).events;
    await run("answer", hook.id, "y");
    expect(await hook.output).toContain('"behavior":"allow"');
    await expectWaiting(0);
    expect((await home.hookline.settle()).events).toBe(before);
  });

  it("an answer in its terminal settles it too", async () => {
    await run("pause");
    await home.finishCall(BUILD);
    await expectWaiting(0);
  });
});

it("an answer settles a private turn's request, also after a restart, and stores nothing", async () => {
  await run("answer", hook.id, "y");
  await home.startTurn(SESSION, { prompt: "<private>unseen prompt</private>", promptId: `${SESSION}-2` });
  const hidden = await home.requestPermission({
    ...BUILD,
    input: { command: "touch unseen-file" },
    promptId: `${SESSION}-2`,
  });
  await expectWaiting(1);
  await run("answer", hidden.id, "deny", "unseen reason");
  expect(await hidden.output).toContain("unseen reason");
  await expectWaiting(0);
  await home.hookline.settle();
  await run("down");
  await home.hookline.start();
  await home.hookline.settle();
  await expectWaiting(0);
  const remaining = home.hookline.query(
    "SELECT count(*) AS n FROM events WHERE payload_json LIKE '%unseen%'",
  );
  expect(remaining).toEqual([{ n: 0 }]);
});

it("an answer settles it where its project was excluded meanwhile", async () => {
  await run("config", "exclude", JSON.stringify([home.hookline.root]));
  await run("answer", hook.id, "d");
  expect(await hook.output).toContain('"behavior":"deny"');
  await expectWaiting(0);
});

it("returns to its terminal as soon as remote answers are switched off", async () => {
  await run("config", "approve.on", "false");
  expect(await hook.output).toBe("");
  expect(await home.cards()).toMatchObject([{ id: hook.id, status: "terminal" }]);
  await expectWaiting(1);
});
