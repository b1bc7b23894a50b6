import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { SessionDetail } from "../../src/monitor/session-detail.ts";
import type { UsageTotals } from "../../src/monitor/usage-tallies.ts";
import { openSteering, type Steering } from "../support/control.ts";
import { PATIENCE_MS } from "../support/patience.ts";

let steering: Steering;
beforeAll(async () => {
  steering = await openSteering((request) =>
    request.lastUserText.includes("wait")
      ? { tools: [{ name: "Bash", input: { command: "tail -f /dev/null" } }] }
      : { text: "ok" },
  );
});
afterAll(() => steering?.close());

it("counts a call that a daemon crash cut off equally in Usage and its session, before and after a resume", async () => {
  const { sessionId } = await steering.start({ prompt: "please wait", mode: "bypassPermissions" });
  const client = await steering.attach(sessionId);
  await client.until(({ type }) => type === "tool.start");
  await steering.daemon.kill("SIGKILL");
  steering.daemon = await steering.hookline.start();
  await expectSameCounts(sessionId);

  await steering.start({ resume: sessionId, prompt: "go on" });
  const again = await steering.attach(sessionId);
  await again.until(({ type }) => type === "result");
  again.close();
  await expect.poll(async () => (await detailOf(sessionId)).tools).toHaveLength(1);
  await expectSameCounts(sessionId);
});

async function detailOf(sessionId: string): Promise<SessionDetail> {
  return (await steering.ask<SessionDetail>("GET", `/api/sessions/${sessionId}`)).body;
}

/** Retries: an event recorded in between appears in one answer before the other. */
async function expectSameCounts(sessionId: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { session, tools } = await detailOf(sessionId);
      const { body: usage } = await steering.ask<UsageTotals>("GET", "/api/usage");
      const inUsage = usage.tools.map(({ tool, count, failed }) => [tool, count, failed]);
      expect(inUsage).toEqual(tools.map(({ toolName, count, failed }) => [toolName, count, failed]));
      const sum = (of: "count" | "failed"): number => tools.reduce((all, tool) => all + tool[of], 0);
      expect([session.toolCount, session.failedToolCount]).toEqual([sum("count"), sum("failed")]);
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );
}
