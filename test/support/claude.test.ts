import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claudeEnv, createScratch, openClaudeTmux, runClaude, type Scratch } from "./claude.ts";
import { type FakeApi, openFakeApi, type Script } from "./fake-api.ts";
import { needs } from "./needs.ts";

needs(import.meta.filename, "tmux");

describe("the real Claude Code against the fake API", () => {
  let scratch: Scratch;
  const apis: FakeApi[] = [];
  const open = async (script: Script) => {
    const api = await openFakeApi(script);
    apis.push(api);
    return api;
  };

  beforeEach(async () => {
    scratch = await createScratch();
  });
  afterEach(async () => {
    await scratch.cleanup();
    for (const api of apis.splice(0)) await api.close();
  });

  it("runs -p with one Bash call to its end", async () => {
    const api = await open([
      { tools: [{ name: "Bash", input: { command: "echo hi > made.txt; echo made" } }] },
      { text: "All done." },
    ]);
    const run = await runClaude(scratch, { prompt: "make a file", api, args: ["--allowedTools", "Bash"] });
    expect(run).toMatchObject({ code: 0, stdout: "All done.\n", stderr: "" });
    expect(await readFile(`${scratch.project}/made.txt`, "utf8")).toBe("hi\n");
    expect(api.requests.filter((request) => !request.isSide)).toHaveLength(2);
    expect(api.requests.at(-1)).toMatchObject({ sessionId: run.sessionId, lastUserText: "made" });
    expect(await readFile(run.transcriptPath!, "utf8")).toContain("make a file");
  });

  it("separates a subagent's turns from the main ones", async () => {
    const input = { description: "look", prompt: "look around", subagent_type: "general-purpose" };
    const api = await open({ main: [{ tools: [{ name: "Agent", input }] }], agent: [{ text: "seen" }] });
    const run = await runClaude(scratch, { prompt: "delegate", api });
    expect(run.code).toBe(0);
    expect(api.requests.filter((request) => request.agentId).map((request) => request.lastUserText)).toEqual([
      "look around",
    ]);
  });

  it("shows an answer on a terminal and is killed by cleanup", async () => {
    const api = await open([{ text: "The answer is 42." }]);
    const claude = await openClaudeTmux(scratch, { api });
    await claude.waitFor(/❯/);
    await claude.type("what is the answer?");
    await claude.keys("Enter");
    await claude.waitFor(/The answer is 42\./);
    const pid = await claude.pid();
    expect(isAlive(pid)).toBe(true);
    await scratch.cleanup();
    expect(existsSync(scratch.root)).toBe(false);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("does not inherit the caller's own agent or keys", () => {
    process.env["CLAUDE_CODE_LEAK"] = "1";
    const names = Object.keys(claudeEnv(scratch)).filter((name) => /CLAUDE|ANTHROPIC|AI_AGENT/.test(name));
    delete process.env["CLAUDE_CODE_LEAK"];
    expect(names).toEqual(["ANTHROPIC_API_KEY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
