import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive } from "../../src/monitor/processes.ts";
import { claudeBinary, claudeEnv, createScratch, type Scratch } from "../support/claude.ts";
import { openFakeApi } from "../support/fake-api.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const ROOT = join(import.meta.dirname, "../..");

let scratch: Scratch;

beforeEach(async () => {
  scratch = await createScratch();
});

afterEach(() => scratch.cleanup());

describe("scenario 15: a host that is killed while its session works", () => {
  it("leaves no claude, no tool and no MCP server after 3 s", async () => {
    const api = await openFakeApi([
      { tools: [{ name: "Bash", input: { command: "setsid sleep 61 & sleep 60", description: "Waits" } }] },
    ]);
    scratch.onCleanup(() => api.close());
    const host = startHost(claudeEnv(scratch, { api }));
    scratch.onCleanup(() => host.kill("SIGKILL"));

    const wanted = ["claude", "sleep 60", "sleep 61", "mcp-server.ts"];
    const left = await untilRunning(host.pid!, wanted);
    host.kill("SIGKILL");
    const until = Date.now() + 3_000;
    while (Date.now() < until && left.some(({ pid }) => isAlive(pid))) await setTimeout(20);
    expect(left.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });
});

/** Drives one session of the real SDK, started as the daemon starts it. */
function startHost(env: Record<string, string>): ChildProcess {
  const processes = pathToFileURL(join(ROOT, "src/control/process/claude-processes.ts")).href;
  const server = { command: process.execPath, args: [join(ROOT, "test/support/mcp-server.ts")] };
  const options = { cwd: scratch.project, env, pathToClaudeCodeExecutable: claudeBinary };
  const code = `
    import { query } from "@anthropic-ai/claude-agent-sdk";
    const { openClaudeProcesses } = await import(${JSON.stringify(processes)});
    const processes = openClaudeProcesses({ env: process.env, onNotice: console.error });
    async function* prompt() {
      yield { type: "user", parent_tool_use_id: null, message: { role: "user", content: "wait" } };
      await new Promise(() => setInterval(() => {}, 1000));
    }
    const options = {
      ...${JSON.stringify(options)},
      permissionMode: "default",
      settingSources: ["user"],
      strictMcpConfig: true,
      mcpServers: { anvils: ${JSON.stringify(server)} },
      canUseTool: async (_tool, updatedInput) => ({ behavior: "allow", updatedInput }),
      spawnClaudeCodeProcess: (command) => processes.spawn(command),
    };
    for await (const message of query({ prompt: prompt(), options }));`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: ROOT, stdio: "inherit" });
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All descendants of a process, once each of these words appears among their commands. */
async function untilRunning(host: number, words: readonly string[]): Promise<Row[]> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await setTimeout(100)) {
    const below = descendants(host);
    if (words.every((word) => below.some(({ command }) => command.includes(word)))) return below;
  }
  throw new Error(`not all of ${words} run: ${JSON.stringify(descendants(host))}`);
}

function descendants(host: number): Row[] {
  const text = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 1e8 });
  const rows = text.split("\n").flatMap((line): Row[] => {
    const [, pid, parent, command = ""] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
  const found: Row[] = [];
  for (let level = [host]; level.length > 0; ) {
    const next = rows.filter(({ parent }) => level.includes(parent));
    found.push(...next);
    level = next.map(({ pid }) => pid);
  }
  return found;
}
