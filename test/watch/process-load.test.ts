import { afterEach, expect, it } from "vitest";
import type { SessionsPage } from "../../src/serve/contract.ts";
import { openFakeAgent } from "../support/fake-agent.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
afterEach(() => hookline.close());

it.each([true, false])("shows an agent's process load only if configured: %j", async (processLoad) => {
  hookline = openHookline({ config: { processLoad } });
  await hookline.start();
  const agent = openFakeAgent(hookline, "11111111-2222-4333-8444-555555555555");
  await agent.fire("SessionStart", { source: "startup" });
  const load = async () => {
    const { sessions } = await hookline.ask<SessionsPage>("GET", "/api/sessions");
    return sessions[0]?.process ?? null;
  };
  const until = Date.now() + (processLoad ? 15_000 : 4_000);
  while (Date.now() < until && (await load()) === null) await new Promise((done) => setTimeout(done, 100));
  const shown = await load();
  await agent.kill();
  if (processLoad) expect(shown?.memoryBytes).toBeGreaterThan(100_000);
  else expect(shown).toBeNull();
});
