import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScratch, type Scratch } from "../support/claude.ts";
import { homeOf, runHookline } from "../support/cli.ts";

const KEY = { ANTHROPIC_API_KEY: "sk-ant-api03-only-for-this-test" };

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(async () => {
  await runHookline(scratch, ["down"]);
  await scratch.cleanup();
});

/** Starts a session as the page "Start a session" does, without credentials of its own. */
function askAsPage(): Promise<{ login: string; billing: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const options = {
      socketPath: join(homeOf(scratch), "sock"),
      path: "/api/control/claude",
      method: "POST",
      headers,
    };
    const call = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve(JSON.parse(text)));
    });
    call.on("error", reject);
    call.end("{}");
  });
}

const loginCheck = async (env: Record<string, string>): Promise<unknown> => {
  const { checks } = JSON.parse((await runHookline(scratch, ["doctor", "--json"], env)).stdout);
  return checks.find(({ code }: { code: string }) => code === "driven_login");
};

it("a daemon started by a person has their terminal's login", async () => {
  expect((await runHookline(scratch, ["up"], KEY)).code).toBe(0);
  expect(await askAsPage()).toMatchObject({
    login: "api_key",
    billing: "Billed to the API key in ANTHROPIC_API_KEY.",
  });
  expect(await loginCheck(KEY)).toMatchObject({ status: "ok" });
  await runHookline(scratch, ["down"]);
});

it("one started by a hook or an agent has none, and the page, up and doctor say what to do", async () => {
  await runHookline(scratch, ["up", "--quiet"], KEY);
  await expect.poll(() => askAsPage().catch(() => null)).toMatchObject({ login: "none" });
  expect((await askAsPage()).billing).toContain(
    "run `hookline up --restart` in a terminal where ANTHROPIC_API_KEY is set",
  );
  expect((await runHookline(scratch, ["up"])).stderr).toBe("");
  expect((await runHookline(scratch, ["up"], KEY)).stderr).toContain(
    "Run `hookline up --restart` to pass on the login",
  );
  expect(await loginCheck(KEY)).toMatchObject({
    status: "warn",
    remedy: expect.stringContaining("up --restart"),
  });
  await runHookline(scratch, ["up", "--restart"], { ...KEY, CLAUDECODE: "1" });
  expect(await askAsPage()).toMatchObject({ login: "none" });
  expect((await runHookline(scratch, ["up", "--restart"], KEY)).stdout).toContain("in place of");
  expect(await askAsPage()).toMatchObject({ login: "api_key" });
});
