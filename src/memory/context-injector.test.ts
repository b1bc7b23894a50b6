import { afterEach, beforeEach, expect, it } from "vitest";
import type { HookAsk } from "../agents/answer-format.ts";
import { claude } from "../agents/claude/claude.ts";
import { openItemChanges } from "../store/sqlite/sqlite-item-changes.ts";
import { createContextInjector } from "./context-injector.ts";
import { type LocalIndex, openLocalIndex } from "./search/local-index.ts";
import { openScratchMemory, type ScratchMemory } from "./search/scratch-memory.testing.ts";

let memory: ScratchMemory;
let index: LocalIndex;

beforeEach(() => {
  memory = openScratchMemory();
  index = openLocalIndex({
    source: openItemChanges(memory.hooklineDb),
    path: memory.searchDb,
    embedder: { type: "none", why: "not needed" },
  });
});

afterEach(async () => {
  await index.close();
  memory.close();
});

function readFile(toolUseId: string): HookAsk {
  return {
    provider: "claude",
    event: "PreToolUse",
    moment: null,
    sessionId: "now",
    cwd: "/p",
    promptId: "p1",
    prompt: null,
    toolName: "Read",
    toolForm: null,
    toolInput: { file_path: "/p/ledger.ts" },
    file: "/p/ledger.ts",
    toolUseId,
    mode: null,
    agentId: null,
    agentType: null,
    answer: null,
    source: null,
    message: null,
    transcriptPath: null,
    isStopHookActive: false,
    payload: {},
  };
}

function compactAt(atIso: string): void {
  memory.store.db
    .sql(
      `INSERT INTO facts (id, event_type, session_id, timestamp, provider, is_machine, is_private, first_part,
         last_part, event_json) VALUES (?, 'compaction', 'now', ?, 'claude', 0, 0, 1, 1, '{}')`,
    )
    .run(`compaction-${atIso}`, atIso);
}

it("injects what is known of a file once, and again after a compaction", async () => {
  memory.put(1, { title: "Use one lock", type: "decision", session: "old", filesModified: ["/p/ledger.ts"] });
  await index.settle();
  const injector = createContextInjector({
    rows: memory.store.memory,
    rules: () => ({
      memory: { inject: { startup: true, resume: true, compact: true, prompt: true, file: true } },
      switches: { projects: [], sessions: [], kinds: [] },
      isOff: () => false,
      isRecorded: () => true,
    }),
    projectOf: (cwd) => cwd,
    mayRecord: () => true,
    nowMs: () => Date.parse("2026-01-03T00:00:00Z"),
    index,
    prompts: claude.prompts,
    promptTokens: 500,
    record: () => undefined,
    timeZone: () => "UTC",
  });
  expect(JSON.stringify(await injector.forFile(readFile("t1")))).toContain("Use one lock");
  expect(await injector.forFile(readFile("t2"))).toBeNull();
  compactAt("2026-01-03T00:01:00.000Z");
  expect(JSON.stringify(await injector.forFile(readFile("t3")))).toContain("Use one lock");
  expect(await injector.forFile(readFile("t4"))).toBeNull();
});
