import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { openPipeline, RUNS_DIR, readRun } from "../../../test/support/pipeline.ts";
import { eventFromRow } from "../../store/sqlite/upsert-fact.ts";
import { ItemContent } from "../memory-item.ts";
import { compressCall } from "./compress-call.ts";

/** A call that the real CLI made in the recorded runs, as stored. */
interface RecordedCall {
  readonly run: string;
  readonly tool: string;
  readonly content: ItemContent;
}

async function recordedCalls(): Promise<RecordedCall[]> {
  const calls: RecordedCall[] = [];
  for (const run of readdirSync(RUNS_DIR).sort()) {
    const pipeline = await openPipeline();
    await pipeline.ingestHooks(readRun(run));
    const rows = pipeline.store.db
      .sql("SELECT event_json, payload_json FROM facts WHERE event_type = 'tool_observation' ORDER BY seq")
      .all();
    for (const event of rows.map(eventFromRow)) {
      const content = compressCall({
        event,
        before: null,
        after: null,
        prompt: null,
        projectPath: event.projectPath,
      });
      calls.push({ run, tool: event.payload?.toolName ?? "", content });
    }
    await pipeline.close();
  }
  return calls;
}

describe("compressCall of the recorded runs", () => {
  let calls: RecordedCall[];
  beforeAll(async () => {
    calls = await recordedCalls();
  });

  it("creates items within the limits", () => {
    expect(calls.length).toBeGreaterThanOrEqual(55);
    for (const { content } of calls) {
      expect(ItemContent.parse(content)).toEqual(content);
      expect(content.title).toMatch(/^\S.{2,118}\S$/);
      expect(content.title).not.toContain("/home/dev/acme-shop/docs");
      for (const file of [...content.filesRead, ...content.filesModified])
        expect(file).toMatch(/^\/home\/dev\//);
    }
  });

  it("creates readable titles", () => {
    const titles = calls.map(({ content }) => `${content.type}: ${content.title}`);
    for (const title of [
      "discovery: Read docs/release.md (4 lines)",
      "discovery: Read README.md (line 3 of 4)",
      "discovery: Read pixel.png (image)",
      "discovery: Read src/cart.ts (2 lines)",
      "failure: Read missing.md failed: File does not exist.",
      "change: Created notes.md (2 lines)",
      "change: Edited notes.md: two → three",
      "failure: Edit of notes.md failed: String to replace not found in file.",
      "discovery: Looked for files **/*.md: 3 found",
      'discovery: Searched for "anvils": 2 matches',
      'discovery: Searched for "ANVILS" in docs: 1 match',
      "discovery: Ran ls | wc -l → 3",
      "change: Ran touch a.txt",
      "command: Not allowed: curl http://example.invalid",
      "failure: exit 5 failed with exit code 5",
      "failure: echo partly; exit 3 failed (exit 3): partly",
      "failure: sleep 9 failed (exit 143): Command timed out after 0s",
      "command: Started in the background: sleep 0.4; echo from behind",
      "command: Used skill release-notes (docs/release.md)",
      "command: New task: Ship it",
      "decision: User chose: Which colour? Red",
      "research: anvils weigh (kind: plain): a plain anvil weighs 100 kg",
      "failure: anvils weigh (kind: broken) failed: no such anvil",
      'delegation: Delegated "Count files" to general-purpose: There are 3 files.',
      'delegation: Delegated "Count files" to general-purpose (in the background)',
      "failure: Frobnicate (level: 3) failed: Error: No such tool available: Frobnicate",
    ]) {
      expect(titles).toContain(title);
    }
  });

  it("lists the files that were read and changed", () => {
    const contentOf = (title: string) => calls.find(({ content }) => content.title === title)?.content;
    expect(contentOf("Read src/cart.ts (2 lines)")).toMatchObject({
      filesRead: ["/home/dev/acme-shop/src/cart.ts"],
      filesModified: [],
      facts: ["Defines total"],
      concepts: ["typescript", "payment", "total"],
    });
    expect(contentOf("Ran touch a.txt")?.filesModified).toEqual(["/home/dev/acme-shop/a.txt"]);
    expect(contentOf("Not allowed: touch made.txt")).toMatchObject({
      filesModified: [],
      filesRead: ["/home/dev/acme-shop/made.txt"],
    });
    expect(contentOf("Edited notes.md: two → three")).toMatchObject({
      filesRead: [],
      filesModified: ["/home/dev/acme-shop/notes.md"],
      facts: ["Changed: two → three"],
    });
  });

  it("drops what Claude Code writes around an output", () => {
    const all = JSON.stringify(calls);
    for (const phrase of [
      "no output",
      "hand-back",
      "agentId",
      "persisted-output",
      "input schema",
      "tool_use_error",
    ]) {
      expect(all).not.toContain(phrase);
    }
  });
});
