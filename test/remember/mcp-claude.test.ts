import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { installer } from "../../src/agents/claude/installer.ts";
import { registerMcp } from "../../src/cli/register-mcp.ts";
import { createListMemory, itemOf } from "../../src/serve/memory-ports.testing.ts";
import { createScratch, runClaude, type Scratch } from "../support/claude.ts";
import { installAndUp, queryDatabase, until } from "../support/cli.ts";
import { type FakeApi, openFakeApi, type Turn } from "../support/fake-api.ts";
import { type ServedMemory, serveMemory } from "./serve-memory.ts";

const ENTRY = join(import.meta.dirname, "../../bin/main.mjs");

let scratch: Scratch | undefined;
let served: ServedMemory | undefined;
let api: FakeApi | undefined;

afterEach(async () => {
  await scratch?.cleanup();
  await api?.close();
  await served?.close();
});

describe("Claude Code with our MCP server", () => {
  it("lists the tools and calls one", async () => {
    served = await serveMemory(
      createListMemory([itemOf(4711, { title: "The anvils fell through the cart" })]),
    );
    scratch = await createScratch();
    await registerMcp({
      installer,
      env: { HOME: scratch.home, HOOKLINE_HOME: served.home.dir },
      entry: ENTRY,
      wantedBy: "/settings.json",
    });
    // The model searches for tools by name, then waits for a server that is still connecting.
    const look = { name: "ToolSearch", input: { query: "hookline", max_results: 9 } };
    const call = { name: "mcp__hookline__search", input: { query: "anvils" } };
    api = await openFakeApi([{ tools: [look] }, { tools: [call] }, { text: "Found it." }]);
    const run = await runClaude(scratch, {
      api,
      prompt: "What happened to the anvils?",
      args: ["--allowedTools", "mcp__hookline__search"],
    });
    expect(run.stdout).toContain("Found it.");
    const asked = api.requests.filter(({ isSide }) => !isSide);
    const listed = JSON.stringify(asked[1]!.body);
    const names = ["search", "timeline", "get_observations"].map((name) => `mcp__hookline__${name}`);
    expect(names.filter((name) => !listed.includes(name))).toEqual([]);
    expect(listed).toContain("Step 1: find what earlier sessions did");
    expect(JSON.stringify(asked.at(-1)!.body.messages)).toContain("4711 | ");
    expect(readFileSync(run.transcriptPath!, "utf8")).toContain("The anvils fell through the cart");
  });

  it("finds in a second session what the first did, and does not remember the result again", async () => {
    scratch = await createScratch();
    await installAndUp(scratch);
    await registerMcp({ installer, env: { HOME: scratch.home }, entry: ENTRY, wantedBy: "/settings.json" });
    const work = { name: "Bash", input: { command: "echo the forge is cold: coal ran out" } };
    const look = { name: "ToolSearch", input: { query: "hookline", max_results: 9 } };
    const call = { name: "mcp__hookline__search", input: { query: "forge coal" } };
    const args = ["--allowedTools", "Bash,mcp__hookline__search"];
    let turns: Turn[] = [{ tools: [work] }, { text: "Noted." }];
    api = await openFakeApi(() => turns.shift() ?? { text: "ok" });
    await runClaude(scratch, { api, prompt: "Look at the forge", args });
    await until(
      () => queryDatabase(scratch!, "SELECT 1 FROM memory_items WHERE kind = 'summary'").length > 0,
    );

    turns = [{ tools: [look] }, { tools: [call] }, { text: "Found it." }];
    await runClaude(scratch, { api, prompt: "What do we know?", args });
    const shown = JSON.stringify(api.requests.filter(({ isSide }) => !isSide).at(-1)!.body.messages);
    expect(shown).toContain("coal ran out");
    const own = `SELECT tool_response_text AS text FROM observations WHERE tool_name = 'mcp__hookline__search'`;
    const [found] = await until(() => {
      const rows = queryDatabase(scratch!, own);
      return rows.length > 0 && rows;
    });
    expect(String(found!["text"] ?? "")).not.toContain("coal");
    const holding = queryDatabase(
      scratch,
      "SELECT count(*) AS n FROM facts WHERE event_json LIKE '%coal ran out%'",
    );
    const first = queryDatabase(
      scratch,
      "SELECT count(*) AS n FROM facts WHERE event_json LIKE '%coal ran out%' AND session_id = (SELECT session_id FROM facts ORDER BY timestamp LIMIT 1)",
    );
    expect(Number(first[0]!["n"])).toBeGreaterThan(0);
    expect(holding).toEqual(first);
  });
});
