import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Card } from "../../src/control/control-contract.ts";
import type { Envelope } from "../../src/control/envelope.ts";
import { openBrowser } from "../support/browser.ts";
import { openSteering, type Steering } from "../support/control.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "chromium");

let steering: Steering;
beforeAll(async () => {
  steering = await openSteering((request) => {
    const said = request.lastUserText;
    if (said.includes("ask")) return { tools: [{ name: "Bash", input: { command: "touch made-by-agent" } }] };
    if (said.includes("wait")) return { tools: [{ name: "Bash", input: { command: "tail -f /dev/null" } }] };
    if (said.includes("think")) return { text: "late", delayMs: 60_000 };
    return { text: "ok" };
  });
});
afterAll(() => steering?.close());

/** Every process whose environment or command names the scratch home. */
function remaining(): string[] {
  const mark = steering.scratch.home;
  const listed = execFileSync("ps", ["-eo", "pid,args", "eww"], { encoding: "utf8", maxBuffer: 1 << 26 });
  return listed
    .split("\n")
    .filter((line) => line.includes(`HOME=${mark}`) && !line.includes("main.mjs daemon"))
    .map((line) => line.slice(0, 160));
}

it("leaves no process of three busy sessions when it is killed, and reports afterwards what was lost", async () => {
  const waiting = await steering.start({ prompt: "please ask" });
  const sleeping = await steering.start({ prompt: "please wait", mode: "bypassPermissions" });
  const thinking = await steering.start({ prompt: "please think" });
  const sessions = [waiting, sleeping, thinking];
  const clients = [];
  for (const { sessionId } of [waiting, sleeping!, sessions[2]!])
    clients.push(await steering.attach(sessionId));
  await clients[0]!.until(({ type }) => type === "permission.request");
  await clients[1]!.until(({ type }) => type === "tool.start");
  await expect.poll(remaining).toContainEqual(expect.stringContaining("tail -f /dev/null"));
  expect(remaining().length).toBeGreaterThanOrEqual(4);

  await steering.daemon.kill("SIGKILL");
  const killedAt = Date.now();
  while (remaining().length > 0 && Date.now() - killedAt < 3_000) await sleep(50);
  expect(remaining()).toEqual([]);

  const before = clients.map(({ envelopes }) => [...envelopes]);
  steering.daemon = await steering.hookline.start();
  const { body: cards } = await steering.ask<{ cards: Card[] }>("GET", "/api/control/cards");
  expect(cards.cards).toMatchObject([
    { sessionId: waiting.sessionId, source: "driven", kind: "permission", toolName: "Bash", status: "lost" },
  ]);
  const lost = cards.cards[0]!;
  for (const [index, { sessionId }] of sessions.entries()) {
    const client = await steering.attach(sessionId);
    await client.until((one) => one.type === "state" && one.state === "closed");
    const seen = before[index]!;
    expect(client.envelopes.slice(0, seen.length)).toEqual(seen);
    expect(client.envelopes.map(({ seq }: Envelope) => seq)).toEqual(
      client.envelopes.map((_, place) => place + 1),
    );
    client.close();
  }
  const again = await steering.attach(waiting.sessionId);
  expect(again.envelopes).toContainEqual(
    expect.objectContaining({ type: "permission.resolved", outcome: "lost", by: "lost" }),
  );
  again.close();

  await seenAsLost(waiting.sessionId, lost.id);

  // One call makes it ask again.
  const credentials = { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: steering.api.url };
  const path = `/api/control/sessions/${waiting.sessionId}/again/${lost.toolUseId}`;
  expect((await steering.ask("POST", path, { credentials })).status).toBe(201);
  const client = await steering.attach(waiting.sessionId, again.envelopes.at(-1)!.seq);
  await client.until(({ type }) => type === "permission.request");
  client.close();
});

/** In every list and on every page that a user would check. */
async function seenAsLost(sessionId: string, requestId: string): Promise<void> {
  const said = async (...args: string[]): Promise<string> => (await steering.hookline.run(...args)).stdout;
  const own = new RegExp(`lost .*${sessionId.slice(0, 8)}`);
  await expect.poll(() => said("sessions")).toMatch(own);
  expect(await said("sessions")).toContain("The request was lost: Bash: touch");
  expect(await said("top", "--once")).toMatch(/lost .*The request was lost/);
  expect(await said("away", "--since", "1h")).toMatch(/\d lost\n(?:✕ .*\n)*✕ .*The request was lost/);
  const detail = await said("session", sessionId);
  expect(detail).toContain(`Ask again: hookline answer ${requestId} again`);
  expect(detail).not.toContain("Waiting for you");
  const foot = (await said("answer")).trim().split("\n").at(-1);
  expect(foot).toBe("`hookline answer ID` shows it in full, `hookline answer ID again` repeats a lost one.");

  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto((await said("open", "--print")).trim());
    for (const path of ["/", `/s/${sessionId}`]) {
      await page.goto(new URL(path, page.url()).href);
      const card = page.locator(`[data-request="${requestId}"]`);
      await card.getByRole("button", { name: "Ask again" }).waitFor();
      expect(await card.locator(".state-mark").textContent()).toBe("lost");
      expect(await page.title()).toBe("Hookline");
    }
    expect(await page.getByText("All clear").count()).toBe(0);
  } finally {
    await browser.close();
  }
}
