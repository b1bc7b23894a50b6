import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScratch, type Scratch } from "../support/claude.ts";
import { homeOf, queryDatabase, runHookline } from "../support/cli.ts";

// Agents that read Claude Code's settings run our hooks too. Only verdicts are checked: no command runs.

let scratch: Scratch;
let count = 0;
beforeAll(async () => {
  scratch = await createScratch();
  await runHookline(scratch, ["install", "--guard", "--approve"]);
  await runHookline(scratch, ["up"]);
});
afterAll(async () => {
  await runHookline(scratch, ["down"]);
  await scratch.cleanup();
});

const fixture = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures/others", name), "utf8"));

function drop(payload: object): void {
  const spool = join(homeOf(scratch), "spool");
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  writeFileSync(join(spool, `1-${++count}-0`), `${JSON.stringify(payload)}\n`);
}

function ask(what: string, payload: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const options = {
      socketPath: join(homeOf(scratch), "sock"),
      path: `/api/ask/${what}`,
      method: "POST",
      headers,
    };
    const call = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on("error", reject);
    call.end(JSON.stringify(payload));
  });
}

const destroys = { tool_name: "Bash", tool_input: { command: "rm -rf ~" }, cwd: "/home/dev/acme-shop" };

it("guards Claude Code's calls, and answers nothing to those of others", async () => {
  const own = { session_id: "claude-1", hook_event_name: "PreToolUse", tool_use_id: "toolu_1", ...destroys };
  expect((await ask("guard", own)).text).toContain('"deny"');
  const others = [
    { ...own, timestamp: "2026-11-15T19:37:41.863Z" },
    { ...own, transcript_path: "/home/dev/.codex/sessions/rollout-1.jsonl" },
    {
      sessionId: "vs-1",
      hookEventName: "PreToolUse",
      toolName: "bash",
      toolArgs: { command: "rm -rf ~" },
      cwd: "/p",
    },
  ];
  for (const payload of others) {
    expect(await ask("guard", payload)).toEqual({ status: 204, text: "" });
    expect(await ask("permission", { ...payload, hook_event_name: "PermissionRequest" })).toEqual({
      status: 204,
      text: "",
    });
    expect(await ask("prompt", { ...payload, prompt: "rm" })).toEqual({ status: 204, text: "" });
  }
});

it("records their sessions under an unknown agent, and doctor reports it", async () => {
  for (const name of [
    "preToolUse.bash",
    "permissionRequest.bash",
    "agentStop.3",
    "sessionStart.2",
    "userPromptSubmitted",
  ])
    drop(fixture(`copilot/1.0.102/camel/${name}.json`));
  drop(fixture("copilot/1.0.102/pascal/Notification.json"));
  drop(fixture("gemini/0.61.0/SessionStart.startup.json"));
  drop({ hello: "nobody" });
  const rows = () =>
    queryDatabase(
      scratch,
      "SELECT DISTINCT session_id, provider FROM facts WHERE provider = 'unknown' ORDER BY 1",
    );
  await expect
    .poll(rows)
    .toEqual(
      [
        "17608bc1-64f6-459a-925d-7a736c18217d",
        "e2d1f43c-f1e7-4b76-bd8b-6e39ed7c767a",
        "f69a40de-9b47-46c9-bb1e-0553937b9317",
        "unknown",
      ].map((session_id) => ({ session_id, provider: "unknown" })),
    );
  expect(
    queryDatabase(scratch, "SELECT * FROM facts WHERE provider = 'claude' AND session_id = 'unknown'"),
  ).toEqual([]);
  const listed = JSON.parse((await runHookline(scratch, ["sessions", "--all", "--json"])).stdout) as {
    sessionId: string;
    provider: string;
    needsPerson: boolean;
  }[];
  const others = listed.filter(({ provider }) => provider === "unknown");
  // An event without a session id adds no session to the list.
  expect(others).toHaveLength(3);
  expect(others.filter(({ needsPerson }) => needsPerson)).toEqual([]);
  const { checks } = JSON.parse((await runHookline(scratch, ["doctor", "--json"])).stdout);
  expect(checks.find(({ code }: { code: string }) => code === "other_agents")).toMatchObject({
    status: "warn",
    found: expect.stringMatching(
      /^3 sessions of an unknown agent .* the guard does not check their calls\.$/,
    ),
  });
  expect((await runHookline(scratch, ["session", "e2d1f43c"])).stdout).toContain("unknown agent");
});
