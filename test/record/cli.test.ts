import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, type Scratch } from "../support/claude.ts";
import { homeOf, queryDatabase, runHookline, spoolFiles, until } from "../support/cli.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = await createScratch();
});
afterEach(async () => {
  await runHookline(scratch, ["down"]);
  await scratch.cleanup();
});
const children: ReturnType<typeof spawn>[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

let count = 0;
function drop(payload: object): void {
  mkdirSync(join(homeOf(scratch), "spool"), { recursive: true, mode: 0o700 });
  writeFileSync(join(homeOf(scratch), "spool", `1-${++count}-0`), `${JSON.stringify(payload)}\n`);
}
const prompt = (words: string, cwd: string) => ({
  hook_event_name: "UserPromptSubmit",
  session_id: "s1",
  prompt_id: `p-${words}`,
  prompt: words,
  cwd,
});

describe("hookline", () => {
  it("starts, reports that it runs, shows its status and stops", async () => {
    expect((await runHookline(scratch, ["up"])).stdout).toMatch(/is up: http:\/\/127\.0\.0\.1:\d+/);
    expect((await runHookline(scratch, ["up"])).stdout).toMatch(/was up already/);
    const status = JSON.parse((await runHookline(scratch, ["status", "--json"])).stdout) as Record<
      string,
      unknown
    >;
    expect(status).toMatchObject({
      running: true,
      recording: true,
      spoolDepth: 0,
      torn: 0,
      quarantined: 0,
      home: homeOf(scratch),
    });
    expect((await runHookline(scratch, ["down"])).stdout).toBe("Stopped.\n");
    expect((await runHookline(scratch, ["down"])).stdout).toBe("The daemon is not running.\n");
    expect(JSON.parse((await runHookline(scratch, ["status", "--json"])).stdout)).toMatchObject({
      running: false,
    });
  });

  it("keeps all its files private", async () => {
    await runHookline(scratch, ["up"]);
    drop(prompt("hello", scratch.project));
    await until(() => queryDatabase(scratch, "SELECT 1 FROM user_prompts").length === 1);
    const open = readdirSync(homeOf(scratch), { recursive: true, encoding: "utf8" }).filter(
      (name) => (statSync(join(homeOf(scratch), name)).mode & 0o077) !== 0,
    );
    expect(open).toEqual([]);
  });

  it("follows the log as it grows, without control characters", async () => {
    await runHookline(scratch, ["up"]);
    const env = { PATH: process.env["PATH"]!, HOME: scratch.home };
    const tail = spawn(join(import.meta.dirname, "../../bin/hookline"), ["tail", "-f"], { env });
    children.push(tail);
    let shown = "";
    tail.stdout.on("data", (chunk: Buffer) => {
      shown += chunk;
    });
    drop(prompt("first \u001b[31mred\u001b[0m \u0007bell", scratch.project));
    await until(() => shown.includes("first red"));
    drop(prompt("second", scratch.project));
    await until(() => shown.includes("second"));
    expect(shown).not.toMatch(/[\u001b\u0007]/);
    tail.kill();
  });

  it("records nothing of an excluded project, nor during a pause, also when the spool is read later", async () => {
    await runHookline(scratch, ["config", "exclude", JSON.stringify([join(scratch.home, "secret-*")])]);
    drop(prompt("excluded", join(scratch.home, "secret-plans/sub")));
    drop(prompt("before", scratch.project));
    expect((await runHookline(scratch, ["pause", "--project", "1h"])).stdout).toContain(scratch.project);
    drop(prompt("paused", join(scratch.project, "src")));
    drop(prompt("elsewhere", "/tmp"));
    await runHookline(scratch, ["pause", "--project", "--end"]);
    drop(prompt("after", scratch.project));
    await runHookline(scratch, ["up"]);
    await until(
      () =>
        spoolFiles(scratch).length === 0 && queryDatabase(scratch, "SELECT 1 FROM user_prompts").length === 3,
    );
    expect(
      queryDatabase(scratch, "SELECT prompt FROM user_prompts ORDER BY prompt_number").map(
        (row) => row["prompt"],
      ),
    ).toEqual(["before", "elsewhere", "after"]);
    const log = readFileSync(join(homeOf(scratch), "stream/lifecycle.jsonl"), "utf8");
    expect(log).not.toMatch(/excluded|paused/);
  });

  it("writes the log to KW_CHAT_STREAM_PATH, and remembers it", async () => {
    const moved = join(scratch.root, "streams/lifecycle.jsonl");
    await runHookline(scratch, ["up"], { KW_CHAT_STREAM_PATH: moved });
    drop(prompt("hello", scratch.project));
    await until(() => existsSync(moved) && readFileSync(moved, "utf8").includes("hello"));
    await runHookline(scratch, ["down"]);
    expect((await runHookline(scratch, ["tail"])).stdout).toContain("hello");
    expect((await runHookline(scratch, ["config", "streamPath"])).stdout).toContain(moved);
  });

  it("reads a contract stream that another program writes", async () => {
    const stream = join(scratch.home, ".kw-chat/streams/lifecycle.jsonl");
    mkdirSync(join(stream, ".."), { recursive: true });
    const line = {
      id: "01HS",
      eventType: "session.lifecycle",
      phase: "started",
      occurredAtIso: "2026-02-18T13:10:00.000Z",
      sessionId: "sess-123",
      provider: "codex",
      projectPath: "/p",
      cwd: "/p",
      note: `password=${"hunter2-of-the-stream"}`,
    };
    writeFileSync(stream, `${JSON.stringify(line)}\nnot json\n{"torn`);
    await runHookline(scratch, ["up"]);
    await until(() => queryDatabase(scratch, "SELECT 1 FROM session_lifecycle_events").length === 1);
    const [row] = queryDatabase(scratch, "SELECT id, provider, raw_json FROM session_lifecycle_events");
    expect(row).toMatchObject({ id: "01HS", provider: "codex" });
    expect(JSON.parse(String(row!["raw_json"]))).toMatchObject({
      origin: "stream",
      note: "password=[REDACTED:password]",
    });
    expect(JSON.parse((await runHookline(scratch, ["status", "--json"])).stdout)).toMatchObject({
      quarantined: 1,
    });
  });

  it("reads a spool older than a day first, without a daemon", async () => {
    drop(prompt("yesterday", scratch.project));
    const [name] = spoolFiles(scratch);
    const yesterday = Date.now() / 1000 - 25 * 3_600;
    utimesSync(join(homeOf(scratch), "spool", name!), yesterday, yesterday);
    drop(prompt("today", scratch.project));
    expect((await runHookline(scratch, ["tail"])).stdout).toMatch(/yesterday[\s\S]*today/);
    expect(spoolFiles(scratch)).toEqual([]);
    drop(prompt("fresh", scratch.project));
    expect((await runHookline(scratch, ["tail"])).stdout).not.toContain("fresh");
    expect(spoolFiles(scratch)).toHaveLength(1);
  });

  it("sets a nested key, keeps the rest, and names an invalid value", async () => {
    await runHookline(scratch, ["config", "control.maxSessions", "2"]);
    const set = await runHookline(scratch, ["config", "control.billing", "subscription"]);
    expect(set).toMatchObject({ code: 0, stdout: 'control.billing = "subscription"\n' });
    const file = join(homeOf(scratch), "config.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      control: { maxSessions: 2, billing: "subscription" },
    });
    expect(await runHookline(scratch, ["config", "control.bill", "x"])).toMatchObject({ code: 2 });
    const wrong = await runHookline(scratch, ["config", "control.billing", "x"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("control.billing: ") });
  });

  it("reports misuse and invalid configuration, with different exit codes", async () => {
    expect(await runHookline(scratch, ["fly"])).toMatchObject({ code: 2 });
    expect(await runHookline(scratch, ["pause", "soon"])).toMatchObject({ code: 2 });
    mkdirSync(homeOf(scratch), { recursive: true });
    writeFileSync(join(homeOf(scratch), "config.json"), '{"prot": 1}');
    const broken = await runHookline(scratch, ["config"]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(/config\.json.*prot/);
    writeFileSync(join(homeOf(scratch), "config.json"), "{");
    expect((await runHookline(scratch, ["up"])).code).toBe(1);
    writeFileSync(join(homeOf(scratch), "config.json"), "{}");
  });
});
