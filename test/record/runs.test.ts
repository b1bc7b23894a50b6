import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HooklineEvent } from "../../src/event/event.ts";
import { toLine } from "../../src/event/line.ts";
import { normalizeEvent } from "../../src/event/merge.ts";
import { toStoredEvent } from "../../src/store/stored-event.ts";
import { acceptedEvents, dumpTables, openPipeline, RUNS_DIR, readRun } from "../support/pipeline.ts";

const names = readdirSync(RUNS_DIR);

/** `H`: the run's hooks, `I`: an import of its transcripts, in this order. */
async function build(name: string, how: string): Promise<Record<string, unknown[]>> {
  const pipeline = await openPipeline();
  try {
    for (const step of how) {
      if (step === "H") await pipeline.ingestHooks(readRun(name));
      else await pipeline.importTranscripts(join(RUNS_DIR, name, "projects"));
    }
    return dumpTables(pipeline.store);
  } finally {
    await pipeline.close();
  }
}

type Row = Record<string, unknown>;

/** Hooks and transcripts use different clocks, and only a hook knows when a session ended. */
function withoutTimes(rows: unknown[]): Row[] {
  return rows.map((row) => {
    const { created_at: _created, completed_at: _completed, ...rest } = row as Row;
    return rest;
  });
}

describe("hooks and transcripts of one run", () => {
  it("cover at least fifteen recorded runs of the real CLI", () => {
    expect(names.length).toBeGreaterThanOrEqual(15);
  });

  it.each(names)("give equal tables in any order and however often: %s", async (name) => {
    const once = await build(name, "HI");
    expect(once["events"]!.length).toBeGreaterThan(3);
    for (const how of ["IH", "HIHI", "IHIH", "IIHH"]) expect(await build(name, how), how).toEqual(once);
  });

  it.each(names)("give the same store from events in memory as from lines read back: %s", (name) => {
    for (const event of acceptedEvents(name)) {
      const [atHand, readBack] = [event, JSON.parse(toLine(event)) as HooklineEvent].map(
        (each) => toStoredEvent(each).event,
      );
      expect(JSON.stringify(normalizeEvent(readBack!))).toBe(JSON.stringify(normalizeEvent(atHand!)));
    }
  });

  it.each(names)("give the same sessions, prompts and observations each alone: %s", async (name) => {
    const [hooks, transcripts] = [await build(name, "H"), await build(name, "I")];
    for (const table of ["sdk_sessions", "user_prompts"]) {
      expect(withoutTimes(transcripts[table]!), table).toEqual(withoutTimes(hooks[table]!));
    }
    const [fromHooks, read] = [
      withoutTimes(hooks["observations"]!),
      withoutTimes(transcripts["observations"]!),
    ];
    // A call interrupted with Esc ends without a hook: only the transcript has it.
    const interrupted = read.filter((row) =>
      String(row["tool_response_text"]).startsWith("The user doesn't want to proceed"),
    );
    const both = read.filter(
      (row) => !interrupted.includes(row) || fromHooks.some((other) => other["id"] === row["id"]),
    );
    expect(both.map(comparable)).toEqual(fromHooks.map(comparable));
  });
});

/** Documented in docs/formats.md: the input as it ran (hook) and as the model wrote it (transcript) may differ in form. */
function comparable(row: Row): Row {
  const input = JSON.parse(String(row["tool_input_json"])) as Row;
  const plain = Object.entries(input).map(([key, value]) => [
    key,
    key.endsWith("_path") ? "path" : String(value),
  ]);
  return { ...row, tool_input_json: Object.fromEntries(plain) };
}
