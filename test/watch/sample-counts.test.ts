import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScratch, type Scratch } from "../support/claude.ts";
import { homeOf, installAndUp, runHookline } from "../support/cli.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
  await installAndUp(scratch);
  await api("POST", "/api/sample");
  await api("POST", "/api/memory/flush");
});
afterAll(() => scratch.cleanup());

function api(method: string, path: string): Promise<Record<string, never>> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: join(homeOf(scratch), "sock"), path, method }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve(text.startsWith("{") ? JSON.parse(text) : (text as never)));
    });
    call.on("error", reject);
    call.end();
  });
}
const json = async (...args: string[]) =>
  JSON.parse((await runHookline(scratch, [...args, "--json"])).stdout);

it("the sample session is shown, but not counted", async () => {
  const sessions = (await json("sessions", "--all")) as { sessionId: string }[];
  expect(sessions.map(({ sessionId }) => sessionId.slice(0, 7))).toEqual(["sample-"]);
  expect(await json("status")).toMatchObject({ events: 0, sessions: 0, lagMs: null, lastEventPerSource: {} });
  expect((await runHookline(scratch, ["status"])).stdout).toContain("0 events in 0 sessions");
  expect((await json("top", "--once")).counts).toBe("");
  expect(await json("away", "--since", "1d")).toMatchObject({
    needsPerson: [],
    finished: [],
    failures: [],
    failedToolCount: 0,
    filesChanged: [],
    cost: { micros: 0 },
  });
  expect((await json("search", "cart", "--all")).hits).toEqual([]);
  expect((await json("context", "--project", "/sample/acme-shop")).text).toBe("");
  expect(JSON.stringify(await api("GET", "/api/usage"))).not.toContain("acme-shop");
  expect(String(await api("GET", "/metrics"))).not.toMatch(
    /^hookline_(sessions|tokens_total|cost_usd_total)\{/m,
  );
});
