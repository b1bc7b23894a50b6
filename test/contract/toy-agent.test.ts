import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentTable } from "../../src/agents/agent-table.ts";
import { claude } from "../../src/agents/claude/claude.ts";
import { unknown } from "../../src/agents/unknown/unknown.ts";
import { type Daemon, startDaemon } from "../../src/daemon/daemon.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import { type Home, resolveHome } from "../../src/home.ts";
import type { HookEntries } from "../../src/hook/commands.ts";
import { installHooks } from "../../src/hook/install.ts";
import { runCommand, silent } from "../hook/run-command.ts";
import { toyLog, toyRun } from "./toy-agent/payloads.ts";
import { toy } from "./toy-agent/toy.ts";

/** Adding an agent takes one folder and one row. */
const agents = createAgentTable([claude, toy, unknown]);

let root: string;
let dir: string;
let env: Record<string, string>;
let home: Home;
let daemon: Daemon;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-toy-")));
  dir = join(root, "shop");
  mkdirSync(join(dir, ".git"), { recursive: true });
  env = { HOME: root, PATH: process.env["PATH"]!, HOOKLINE_PORT: "0" };
  home = resolveHome(env);
  await installHooks({ agent: toy, scope: "user", env });
  daemon = await startDaemon(home, env, { agents });
});
afterAll(async () => {
  await daemon.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Runs what is installed for an event, as the toy would. */
async function fire(what: string, payload: object): Promise<void> {
  const { hooks } = JSON.parse(readFileSync(join(root, ".toy/hooks.json"), "utf8")) as { hooks: HookEntries };
  const [{ hooks: handlers } = { hooks: [] }] = hooks[what] ?? [];
  for (const { command } of handlers)
    expect(await runCommand(command, { env, input: `${JSON.stringify(payload)}\n` })).toMatchObject(silent);
}

function post(body: object): RequestInit {
  return { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

async function ask<T>(path: string, body?: object): Promise<T> {
  return (await (await daemon.ask(path, body && post(body))).json()) as T;
}

async function eventsOf(sessionId: string): Promise<HooklineEvent[]> {
  const { events } = await ask<{ events: HooklineEvent[] }>(
    `/api/events?after=0&limit=500&session=${sessionId}`,
  );
  // Leaves out events that Hookline itself recorded for the session.
  return events.filter(({ provider }) => provider !== "hookline");
}

describe("an agent with one folder and one row", () => {
  it("is recorded through its own hooks, with its session", async () => {
    for (const [what, payload] of toyRun("r1", dir)) await fire(what, payload);
    await daemon.flush();
    const events = await eventsOf("r1");
    expect(new Set(events.map(({ provider }) => provider))).toEqual(new Set(["toy"]));
    expect(events.map(({ eventType }) => eventType)).toEqual(
      expect.arrayContaining([
        "session.lifecycle",
        "turn.start",
        "tool.start",
        "tool_observation",
        "turn.end",
      ]),
    );
    expect(readdirSync(home.spool)).toEqual([]);
    const { session } = await ask<{ session: { endedAtIso: string | null } }>("/api/sessions/r1");
    expect(session).toMatchObject({ provider: "toy", projectPath: dir, toolCount: 2 });
    expect(session.endedAtIso).not.toBeNull();
  });

  it("is recognized by its payload whichever hooks it runs, and claims no other agent's payload", async () => {
    const toyPayload = { toy: "hook", what: "begin", run: "r-by-claude", dir };
    writeFileSync(join(home.spool, "claude-7-8-0"), `${JSON.stringify(toyPayload)}\n`);
    const claudePayload = { hook_event_name: "Stop", session_id: "s-by-toy", cwd: dir };
    writeFileSync(join(home.spool, "toy-7-9-0"), `${JSON.stringify(claudePayload)}\n`);
    const unknownPayload = { hookEventName: "stop", sessionId: "s-of-nobody", cwd: dir };
    writeFileSync(join(home.spool, "toy-7-10-0"), `${JSON.stringify(unknownPayload)}\n`);
    await daemon.flush();
    for (const [sessionId, provider] of [
      ["r-by-claude", "toy"],
      ["s-by-toy", "claude"],
      ["s-of-nobody", "unknown"],
    ] as const)
      expect((await eventsOf(sessionId)).map((event) => event.provider)).toEqual([provider]);
  });

  it("is imported from its transcripts into the same facts as its hooks", async () => {
    const runs = toy.transcripts.root(env);
    mkdirSync(runs, { recursive: true });
    for (const run of ["r1", "r2"]) writeFileSync(join(runs, `${run}.toylog`), toyLog(run, dir));
    const facts = async (): Promise<string[]> =>
      (await eventsOf("r1"))
        .filter(({ eventType }) => /^(turn\.start$|tool)/.test(eventType))
        .map(({ id }) => id);
    const fromHooks = await facts();
    expect(fromHooks).toHaveLength(5);
    expect(await daemon.importTranscripts(runs)).toMatchObject({ files: 2, badLines: 0 });
    expect(await facts()).toEqual(fromHooks);
    expect(await eventsOf("r2")).toContainEqual(
      expect.objectContaining({ provider: "toy", eventType: "turn.start" }),
    );
  });

  it("is remembered", async () => {
    const found = await ask("/api/search?q=wind%20spring");
    expect(JSON.stringify(found)).toContain('"sessionId":"r1"');
  });

  it("is judged by what its tools do, and answered in its own format", async () => {
    const call = { toy: "hook", what: "do", run: "r1", dir, call: "9", tool: "sh" };
    const bad = { ...call, with: { command: "rm -rf ~" } };
    await fire("do", bad);
    await daemon.flush();
    expect(await ask("/api/ask/guard", bad)).toEqual({
      toy: "do",
      say: { call: { verdict: "deny", reason: expect.stringMatching(/^Hookline: .* \[builtin\//) } },
    });
    const harmless = { ...call, with: { command: "ls" } };
    expect(await daemon.ask("/api/ask/guard", post(harmless))).toMatchObject({ status: 204 });
    // The verdict belongs to this call of this agent.
    await expect
      .poll(() => ask("/api/verdicts?session=r1&limit=10"))
      .toMatchObject({
        verdicts: [{ toolUseId: "9", verdict: "deny", text: expect.stringContaining("rm -rf ~") }],
      });
  });
});
