import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ClaudeMemVersion,
  createClaudeMemFile,
  createFilledClaudeMemFile,
} from "./claude-mem.testing.ts";
import { openClaudeMem } from "./open-claude-mem.ts";

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-claude-mem-"));
  path = join(dir, "claude-mem.db");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function readAll() {
  const source = openClaudeMem(path);
  try {
    return {
      sessions: [...source.sessions()],
      prompts: [...source.prompts()],
      observations: [...source.observations()],
      summaries: [...source.summaries()],
    };
  } finally {
    source.close();
  }
}

const VERSIONS: readonly ClaudeMemVersion[] = ["4.0", "5.0", "13.15"];

describe.each(VERSIONS)("a database of claude-mem %s", (version) => {
  it("reads everything under the agent's session id, and leaves the file unchanged", () => {
    createFilledClaudeMemFile(path, version).close();
    const before = readdirSync(dir);
    const { sessions, prompts, observations, summaries } = readAll();
    expect(readdirSync(dir)).toEqual(before);
    expect(sessions).toEqual([
      {
        sessionId: "session-1",
        project: "shop",
        provider: "claude",
        startedAtIso: "2026-01-02T03:00:00.000Z",
        completedAtIso: "2026-01-02T03:09:00.000Z",
        prompt: "make the cart faster",
      },
    ]);
    expect(prompts.map(({ prompt }) => prompt)).toEqual(
      version === "4.0" ? [] : ["make the cart faster", "and test it"],
    );
    const records = [...observations, ...summaries];
    expect(records.map(({ sessionId }) => sessionId)).toEqual(["session-1", "session-1", "session-1"]);
    expect(observations[0]).toMatchObject(
      version === "4.0"
        ? { type: "bugfix", title: null, text: "The cart summed twice\nIt called total() in a loop." }
        : {
            facts: ["total() is O(n)", "the loop is in cart.ts"],
            filesRead: ["src/cart.ts"],
            promptNumber: 1,
          },
    );
    expect(summaries[0]).toMatchObject({ learned: "total() was called in a loop", nextSteps: "Measure it" });
  });

  it("reads what its program has not checkpointed yet", () => {
    const openFile = createFilledClaudeMemFile(path, version);
    expect(readAll().observations.length).toBe(2);
    openFile.close();
  });
});

it("keeps records of a deleted session under the writer's id, and skips those without a time", () => {
  const file = createClaudeMemFile(path, "13.15");
  const row = {
    memory_session_id: "deleted",
    project: "p",
    type: "change",
    created_at: "no time",
    created_at_epoch: 0,
  };
  file.insert("observations", { ...row, title: "lost" });
  file.insert("observations", {
    ...row,
    title: "kept",
    created_at_epoch: 1_700_000_000,
    merged_into_project: "q",
  });
  file.close();
  expect(readAll().observations).toMatchObject([
    { title: "kept", sessionId: "deleted", project: "q", createdAtIso: "2023-11-14T22:13:20.000Z" },
  ]);
});

it("throws for a missing file, a file that is no database, and another program's database", () => {
  expect(() => openClaudeMem(path)).toThrow(expect.objectContaining({ code: "claude_mem_missing" }));
  writeFileSync(path, "just words, and many of them ".repeat(100));
  expect(() => openClaudeMem(path)).toThrow(expect.objectContaining({ code: "not_claude_mem" }));
  writeFileSync(path, "");
  expect(() => openClaudeMem(path)).toThrow(expect.objectContaining({ code: "not_claude_mem" }));
});
