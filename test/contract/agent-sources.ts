import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect } from "vitest";
import type { AgentAdapter } from "../../src/agents/agent.ts";
import type { TranscriptFile } from "../../src/agents/transcript-source.ts";
import { isEvent, type NewEvent } from "../../src/event/event.ts";
import type { Guarantee } from "./agent-guarantees.ts";

/** Sources besides hooks: transcripts, and the agent's process registry. */
export const SOURCE_GUARANTEES: readonly Guarantee[] = [
  {
    what: "finds its transcripts, and reads them the same way again",
    applies: ({ transcripts }, { transcriptRoots }) =>
      transcripts !== undefined && transcriptRoots !== undefined,
    check(adapter, { transcriptRoots }) {
      for (const root of transcriptRoots!)
        expect(adapter.transcripts!.find(root).length, root).toBeGreaterThan(0);
      const found = transcriptRoots!.flatMap((root) => adapter.transcripts!.find(root));
      for (const { sizeBytes, ...file } of found) {
        expect(sizeBytes).toBe(readFileSync(file.path).length);
        expect(adapter.transcripts!.describe(file.path)).toEqual(file);
        const events = readAll(adapter, file);
        expect(events.length).toBeGreaterThan(0);
        expect(readAll(adapter, file)).toEqual(events);
        for (const event of events) {
          expect(isEvent(event)).toBe(true);
          expect([event.provider, event.origin]).toEqual([
            adapter.id,
            expect.stringMatching(/transcript|batch/),
          ]);
        }
      }
    },
  },
  {
    what: "reads any line of a transcript without a throw",
    applies: ({ transcripts }) => transcripts !== undefined,
    check(adapter) {
      const lines = fc.array(fc.jsonValue(), { maxLength: 5 });
      const expectTotal = (values: readonly unknown[]): void => {
        const { translateLine } = adapter.transcripts!.open({ path: "/runs/one.jsonl" }, (cwd) => cwd);
        for (const value of values)
          for (const event of translateLine(value)) expect(isEvent(event)).toBe(true);
      };
      fc.assert(fc.property(lines, expectTotal), { numRuns: 300 });
    },
  },
  {
    what: "reads its list of processes, and takes nothing else for one",
    applies: ({ liveness }, { processes }) => liveness !== undefined && processes !== undefined,
    check({ liveness }, { processes }) {
      expect(processes!.length).toBeGreaterThan(0);
      for (const [name, text] of processes!) {
        expect(liveness!.parse(text)?.pid, name).toBe(liveness!.pidOf(name));
        for (const half of [0.3, 0.6, 0.9])
          expect(liveness!.parse(text.slice(0, text.length * half)), name).toBeNull();
      }
      fc.assert(fc.property(fc.string(), (text) => liveness!.parse(text) === null));
    },
  },
  {
    what: "prices what it knows, never below nothing, and says of the rest that it does not",
    applies: ({ usage }, { models }) => usage !== undefined && models !== undefined,
    check({ usage }, { models }) {
      const used = {
        input: 1_000,
        output: 100,
        cacheRead: 10,
        cacheWrite: 5,
        cacheWrite1h: 0,
        webSearches: 0,
      };
      const counted = { ...used, isFast: false, isUsOnly: false };
      expect(usage!.pricesOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      for (const model of models!) {
        expect(usage!.isPriced(model), model).toBe(true);
        expect(usage!.priceOf(model, counted), model).toBeGreaterThan(0);
        expect(usage!.canonicalModelName(usage!.canonicalModelName(model)), model).toBe(
          usage!.canonicalModelName(model),
        );
      }
      fc.assert(
        fc.property(fc.string(), (model) => {
          expect(usage!.priceOf(model, counted) !== undefined).toBe(usage!.isPriced(model));
          usage!.contextWindowOf(usage!.canonicalModelName(model), 1);
        }),
      );
      expect(usage!.priceOf("nobody-has-this-model", counted)).toBeUndefined();
    },
  },
  {
    what: "takes up a session by a command that names it",
    applies: ({ resumeCommand }) => resumeCommand !== undefined,
    check({ resumeCommand }) {
      const words = resumeCommand!("0f-1");
      expect(words).toContain("0f-1");
      expect(words[0]).toMatch(/^[\w-]+$/);
    },
  },
];

function readAll(adapter: AgentAdapter, file: TranscriptFile): NewEvent[] {
  const translator = adapter.transcripts!.open(file, (cwd) => cwd);
  return readFileSync(file.path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line) => translator.translateLine(JSON.parse(line)));
}
