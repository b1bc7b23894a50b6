import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claudeEnv, createScratch, runClaude, type Scratch } from "../support/claude.ts";
import { homeOf, installAndUp, queryDatabase, runHookline, until } from "../support/cli.ts";
import { type FakeApi, type FakeRequest, openFakeApi } from "../support/fake-api.ts";

/** A unique word, to find in requests to the model. */
const CAUSE = "float sums drift, so prices are added as integer cents";
const PROMPT = "the cart total is off by a cent, please fix it";

let scratch: Scratch;

beforeAll(async () => {
  scratch = await createScratch();
  await installAndUp(scratch);
  const cart = join(scratch.project, "src/cart.ts");
  const api = await openFakeApi([
    {
      text: "Let me look at how the total is computed.",
      tools: [{ name: "Read", input: { file_path: cart } }],
    },
    {
      text: `The bug: ${CAUSE}.`,
      tools: [
        {
          name: "Edit",
          input: {
            file_path: cart,
            old_string: "prices.reduce((a, b) => a + b, 0)",
            new_string: "prices.reduce((a, b) => a + Math.round(b * 100), 0) / 100",
          },
        },
      ],
    },
    { text: `Fixed the rounding in total(): ${CAUSE}. Next step: do the same for the invoice.` },
  ]);
  scratch.onCleanup(() => api.close());
  const run = await runClaude(scratch, { prompt: PROMPT, api, args: ["--allowedTools", "Edit,Read"] });
  expect(run).toMatchObject({ code: 0 });
  await settled();
});
afterAll(() => scratch?.cleanup());

/** Waits for the summary of the turn, and the digest with it. */
async function settled(): Promise<void> {
  await until(() => queryDatabase(scratch, "SELECT 1 FROM session_summaries").length > 0);
  const digest = join(homeOf(scratch), "context", scratch.project, "startup.json");
  await until(() => existsSync(digest) && readFileSync(digest, "utf8").includes("cart.ts"));
}

/** The messages in the first request of a new session. */
async function startSession(cwd: string, prompt: string): Promise<{ first: FakeRequest; messages: string }> {
  const api: FakeApi = await openFakeApi([{ text: "ok" }]);
  try {
    const run = await runClaude(scratch, { prompt, api, cwd });
    expect(run).toMatchObject({ code: 0 });
    const first = api.requests.find(({ isSide }) => !isSide)!;
    return { first, messages: JSON.stringify(first.body.messages) };
  } finally {
    await api.close();
  }
}

const digest = (messages: string): string[] =>
  messages.match(/<hookline-context.*?<\/hookline-context>/gs) ?? [];

describe("the work of one session", () => {
  it("is stored as typed observations and a summary", () => {
    const observations = queryDatabase(
      scratch,
      "SELECT tool_name, json_extract(compressed_observation, '$.type') AS type, json_extract(compressed_observation, '$.narrative') AS said FROM observations ORDER BY created_at",
    );
    expect(observations).toEqual([
      { tool_name: "Read", type: "discovery", said: expect.stringContaining("how the total is computed") },
      { tool_name: "Edit", type: "fix", said: expect.stringContaining(CAUSE) },
    ]);
    const [summary] = queryDatabase(scratch, "SELECT request, completed, next_steps FROM session_summaries");
    expect(summary).toMatchObject({
      request: expect.stringContaining("off by a cent"),
      completed: expect.stringContaining("cart.ts"),
      next_steps: expect.stringContaining("invoice"),
    });
  });

  it("is injected into the first request of the project's next session", async () => {
    const { messages } = await startSession(scratch.project, "hello there, what is new in this project?");
    expect(digest(messages).join()).toContain("cart.ts");
    expect(digest(messages).join()).toContain("invoice");
  });

  it("is injected in a subfolder and in a worktree, also a new one", async () => {
    const tree = join(scratch.home, "elsewhere", "acme-tree");
    mkdirSync(join(scratch.home, "elsewhere"));
    execFileSync("git", ["worktree", "add", "-q", tree], { cwd: scratch.project, env: claudeEnv(scratch) });
    for (const cwd of [join(scratch.project, "src"), tree]) {
      const { messages } = await startSession(cwd, "hello there, what is new in this project?");
      expect(digest(messages).join(), cwd).toContain("invoice");
    }
  });

  it("is not injected in other projects, not even of the same name", async () => {
    const same = join(scratch.home, "other", "acme-shop");
    mkdirSync(same, { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd: same, env: claudeEnv(scratch) });
    const plain = join(scratch.home, "plain");
    mkdirSync(plain);
    for (const cwd of [same, plain]) {
      const { messages } = await startSession(
        cwd,
        "why is the cart total computed with Math.round in cents?",
      );
      expect(digest(messages).join(), cwd).not.toContain("cart");
      expect(messages, cwd).not.toContain(CAUSE);
    }
  });

  it("is injected with a related prompt, as the right observation", async () => {
    const { messages } = await startSession(
      scratch.project,
      "why does the cart total use Math.round and cents?",
    );
    const injected = digest(messages).filter(
      (text) => !text.includes("Next steps") && text.includes("cents"),
    );
    expect(injected.join()).toContain(CAUSE);
    const injections = await runHookline(scratch, ["context", "--explain", "--json"]);
    expect(injections.stdout).toContain('"prompt"');
  });

  it("is injected with the daemon down too", async () => {
    expect(await runHookline(scratch, ["down"])).toMatchObject({ code: 0 });
    const api = await openFakeApi([{ text: "ok" }]);
    const env = { HOOKLINE_AUTOSTART: "0" };
    const run = await runClaude(scratch, {
      prompt: "hello again",
      api,
      cwd: join(scratch.project, "docs"),
      env,
    });
    await api.close();
    expect(run).toMatchObject({ code: 0 });
    expect(digest(JSON.stringify(api.requests.map(({ body }) => body.messages))).join()).toContain("invoice");
  });
});
