import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { claude as agent } from "../../src/agents/claude/claude.ts";
import { openQuery } from "../../src/control/agent-sdk.ts";
import type { DrivenSessionsOptions } from "../../src/control/driven-sessions.ts";
import { createClaudeFinder } from "../../src/control/find-claude.ts";
import { openTrust } from "../../src/control/trust/trust.ts";
import { claudeEnv } from "../support/claude.ts";
import { createInMemoryLocks, type DrivenScratch, openDriven } from "../support/driven.ts";
import type { Script } from "../support/fake-api.ts";

// Each failure of a driven session has its own code, on the real Agent SDK against the fake API.

let opened: DrivenScratch | undefined;
async function open(
  script: Script,
  options: Partial<DrivenSessionsOptions> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<DrivenScratch> {
  opened = await openDriven(script, options, env);
  return opened;
}
afterEach(async () => {
  await opened?.scratch.cleanup();
  opened = undefined;
});

describe("before anything runs", () => {
  it("rejects a missing or foreign folder, an invalid session, and a command to an unknown one", async () => {
    const locks = createInMemoryLocks();
    const { start, sessions } = await open([], { locks });
    await expect(start({ cwd: "src" })).rejects.toMatchObject({ code: "cwd_missing" });
    for (const resume of ["my last session", "../../x", "9F3C0000-0000-4000-8000-000000000000"])
      await expect(start({ resume })).rejects.toMatchObject({ code: "resume_unknown" });
    const unknown = { code: "session_unknown" };
    await expect(sessions.stop("nobody")).rejects.toMatchObject(unknown);
    await expect(sessions.answer("nobody", "t", { decision: "allow" })).rejects.toMatchObject(unknown);
    await expect(sessions.askAgain("nobody", "t", {})).rejects.toMatchObject(unknown);
    expect(await sessions.get("nobody")).toBeUndefined();
  });

  it("rejects a claude that is missing, too old, or another program", async () => {
    const driven = await open([]);
    const { scratch } = driven;
    const program = (says: string): string => {
      const path = join(scratch.root, "claude-of-old");
      writeFileSync(path, `#!/bin/sh\necho '${says}'\n`);
      chmodSync(path, 0o755);
      return path;
    };
    const start = (claude: string) =>
      driven
        .reopen({ finder: createClaudeFinder({ config: { claude }, driving: agent.driving }) })
        .start({ prompt: "hi" });
    await expect(start("/nowhere/claude")).rejects.toMatchObject({
      code: "claude_missing",
      message: expect.stringContaining("/nowhere/claude"),
    });
    await expect(start(program("2.0.1 (Claude Code)"))).rejects.toMatchObject({
      code: "claude_too_old",
      message: expect.stringContaining("2.0.1"),
    });
    await expect(start(program("hello"))).rejects.toMatchObject({ code: "claude_missing" });
    expect(driven.api.requests).toEqual([]);
  });

  it("releases the session when its start fails", async () => {
    const locks = createInMemoryLocks();
    const resume = "99999999-2222-4333-8444-555555555555";
    const driven = await open([], { locks });
    const broken = driven.reopen({
      locks,
      store: {
        ...driven.store,
        lastSeq: () => {
          throw new Error("no database");
        },
      },
    });
    await expect(broken.start({ resume })).rejects.toThrow("no database");
    expect(locks.claim(resume).type).toBe("taken");
  });
});

it("ends the session when the Agent SDK is not installed", async () => {
  const gone = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  const driven = await open([], {
    openQuery: (input, options) => openQuery(input, options, () => Promise.reject(gone)),
  });
  const session = await driven.start({ prompt: "hi" });
  await session.waitFor("state", ({ state }) => state === "closed");
  expect(session.ofType("error")).toMatchObject([
    { code: "sdk_missing", message: expect.stringContaining("npm install") },
  ]);
});

it("reports a broken .mcp.json with its line, and continues", async () => {
  const driven = await open([{ text: "fine" }]);
  const { scratch, api } = driven;
  writeFileSync(join(scratch.project, ".mcp.json"), '{\n  "mcpServers": {\n    "a": oops\n  }\n}');
  const env = claudeEnv(scratch, { api });
  const trust = openTrust({
    file: join(scratch.root, "trust.json"),
    nowMs: Date.now,
    driving: agent.driving,
    env,
  });
  const session = await driven.reopen({ trust }).start({ prompt: "hi" });
  await session.untilIdle();
  expect(session.ofType("error")).toMatchObject([
    { code: "project_problem", message: expect.stringMatching(/^\.mcp\.json, line 3: it is not JSON/) },
  ]);
  expect(session.ofType("result")).toMatchObject([{ ok: true }]);
});

describe("errors of the model's API:", () => {
  const tooLong = "prompt is too long: 250000 tokens > 200000 maximum";
  const cases = [
    { name: "403", error: { status: 403, type: "permission_error", message: "not this key" } },
    { name: "a model that is none", error: { status: 404, type: "not_found_error", message: "no model" } },
    { name: "500", error: { status: 500, type: "api_error", message: "broken" } },
  ] as const;
  for (const { name, error } of cases) {
    it(name, async () => {
      const driven = await open(() => ({ error }), {}, { CLAUDE_CODE_MAX_RETRIES: "0" });
      const session = await driven.start({ prompt: "hi" });
      await session.untilIdle();
      expect(session.ofType("result")).toMatchObject([
        { ok: false, outcome: "api_error", apiStatus: error.status, message: expect.any(String) },
      ]);
    });
  }

  it("a prompt that is too long", async () => {
    const error = { status: 400, type: "invalid_request_error", message: tooLong };
    const driven = await open(() => ({ error }), {}, { CLAUDE_CODE_MAX_RETRIES: "0" });
    const session = await driven.start({ prompt: "hi" });
    await session.untilIdle();
    expect(session.ofType("result")).toMatchObject([{ ok: false, outcome: "prompt_too_long" }]);
  });
});

it("does not repeat a request that was answered", async () => {
  const driven = await open([
    { tools: [{ name: "Bash", input: { command: "touch made" } }] },
    { text: "ok" },
  ]);
  const session = await driven.start({ prompt: "make it" });
  const { toolUseId } = await session.waitFor("permission.request");
  const again = (id: string) => driven.sessions.askAgain(session.sessionId, id, {});
  await expect(again(toolUseId)).rejects.toMatchObject({ code: "not_lost" });
  await driven.sessions.answer(session.sessionId, toolUseId, { decision: "deny" });
  await expect(again(toolUseId)).rejects.toMatchObject({ code: "not_lost" });
  await expect(again("toolu_none")).rejects.toMatchObject({ code: "card_unknown" });
});
