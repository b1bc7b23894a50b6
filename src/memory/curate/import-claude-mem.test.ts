import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ForgetHome, openForgetHome } from "../../../test/support/forget-home.ts";
import { forgetFacts } from "../../store/forget-facts.ts";
import { type ClaudeMemVersion, createFilledClaudeMemFile } from "../../store/sqlite/claude-mem.testing.ts";
import { openClaudeMem } from "../../store/sqlite/open-claude-mem.ts";
import type { MemoryItem } from "../memory-item.ts";
import { itemPages } from "./export-items.ts";
import { type ImportedClaudeMem, importClaudeMem } from "./import-claude-mem.ts";

let home: ForgetHome;
let dir: string;
beforeEach(async () => {
  home = await openForgetHome();
  dir = mkdtempSync(join(tmpdir(), "hookline-claude-mem-"));
});
afterEach(async () => {
  rmSync(dir, { recursive: true, force: true });
  await home.close();
});

function createFile(version: ClaudeMemVersion): string {
  const path = join(dir, `${version}.db`);
  createFilledClaudeMemFile(path, version).close();
  return path;
}

async function runImport(path: string): Promise<ImportedClaudeMem> {
  const source = openClaudeMem(path);
  const { memory } = home.keeper.store;
  const counts = await importClaudeMem({
    source,
    acceptor: home.acceptor(),
    append: (events) => home.log.append(events),
    hasFact: async (id) => (await memory.fact(id)) !== undefined,
    hasSession: async (sessionId) => (await memory.sessionRow(sessionId)) !== undefined,
    projectsNamed: (name) => memory.projects(name),
  });
  source.close();
  await home.keeper.follow();
  await home.remember();
  return counts;
}

async function items(): Promise<MemoryItem[]> {
  const all: MemoryItem[] = [];
  for await (const page of itemPages(home.keeper.store.memory)) all.push(...page);
  return all;
}

it.each(["5.0", "13.15"] as const)(
  "imports sessions, prompts, observations and summaries of %s once",
  async (version) => {
    const path = createFile(version);
    expect(await runImport(path)).toEqual({
      sessions: 1,
      prompts: 2,
      observations: 2,
      summaries: 1,
      skipped: 0,
    });
    const imported = await items();
    expect(imported.find(({ content }) => content.type === "fix")).toMatchObject({
      kind: "observation",
      sessionId: "session-1",
      project: "shop",
      promptNumber: 1,
      madeBy: "import",
      createdAtIso: "2026-01-02T03:02:00.000Z",
      content: {
        title: "The cart summed twice",
        facts: ["total() is O(n)", "the loop is in cart.ts"],
        narrative: "total() was called in a loop\nNow it is called once.",
        concepts: ["performance", "cart"],
        filesModified: ["/home/dev/shop/src/cart.ts"],
      },
    });
    expect(imported.find(({ kind }) => kind === "summary")).toMatchObject({
      summary: { request: "Make the cart faster", nextSteps: "Measure it" },
    });
    const sessions = home.keeper.store.db
      .sql("SELECT claude_session_id, prompt_counter, status FROM sdk_sessions")
      .all();
    expect(sessions).toMatchObject([
      { claude_session_id: "session-1", prompt_counter: 2, status: "completed" },
    ]);
    const position = await home.keeper.store.facts.position();
    expect(await runImport(path)).toMatchObject({
      sessions: 0,
      prompts: 0,
      observations: 0,
      summaries: 0,
      skipped: 6,
    });
    expect(await home.keeper.store.facts.position()).toBe(position);
    expect(await items()).toEqual(imported);
  },
);

it("uses the first line as title of an old observation, and merges two versions of one file", async () => {
  await runImport(createFile("4.0"));
  expect(
    (await items()).filter(({ kind }) => kind === "observation").map(({ content }) => content.title),
  ).toEqual(expect.arrayContaining(["The cart summed twice", "Key found"]));
  const before = (await items()).length;
  await runImport(createFile("5.0"));
  await runImport(createFile("13.15"));
  expect((await items()).filter(({ kind }) => kind === "summary").length).toBe(1);
  expect((await items()).length).toBeGreaterThan(before);
});

it("masks secrets, and does not bring back what was forgotten", async () => {
  const path = createFile("13.15");
  await runImport(path);
  expect(JSON.stringify(await items())).not.toContain("ghp_0123456789");
  expect(JSON.stringify(await items())).toContain("[REDACTED:");
  const before = (await items()).length;
  await forgetFacts({ match: "summed twice" }, home.ports);
  expect((await items()).length).toBe(before - 1);
  await runImport(path);
  expect(JSON.stringify(await items())).not.toContain("summed twice");
  expect((await items()).length).toBe(before - 1);
});

it("assigns items to the only folder that ends with the project's name", async () => {
  await home.record([
    {
      v: 1,
      id: "e1",
      eventType: "tool_observation",
      occurredAtIso: "2026-01-01T00:00:00.000Z",
      sessionId: "s",
      provider: "claude",
      projectPath: "/home/dev/shop",
      cwd: "/home/dev/shop",
      toolUseId: "t",
      origin: "hook",
      payload: { toolName: "Bash", toolInput: { command: "ls" } },
    },
  ]);
  await home.remember();
  await runImport(createFile("13.15"));
  const fix = (await items()).find(({ content }) => content.type === "fix");
  expect(fix).toMatchObject({
    project: "/home/dev/shop",
    content: { filesRead: ["/home/dev/shop/src/cart.ts"] },
  });
});
