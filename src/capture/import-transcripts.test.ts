import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { createAcceptor } from "./accept.ts";
import { type ImportProgress, importTranscripts } from "./import-transcripts.ts";
import { openQuarantine } from "./quarantine.ts";
import type { TailPosition } from "./tail-file.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-import-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const LINES = 9_000;

function writeSession(numbers: readonly number[] = Array.from({ length: LINES }, (_, n) => n)): void {
  mkdirSync(join(dir, "projects", "-srv-shop"), { recursive: true });
  const lines = numbers.map((n) =>
    JSON.stringify({
      type: "user",
      uuid: `u${n}`,
      promptId: `p${n}`,
      sessionId: "s1",
      cwd: "/srv/shop",
      timestamp: new Date(1_700_000_000_000 + n * 1_000).toISOString(),
      message: { role: "user", content: `prompt ${n}` },
    }),
  );
  writeFileSync(join(dir, "projects", "-srv-shop", "s1.jsonl"), `${lines.join("\n")}\n`);
}

it("imports a long transcript in batches, waits for views after each, and reports progress", async () => {
  writeSession();
  const updates: ImportProgress[] = [];
  let unapplied = 0;
  let maxUnapplied = 0;
  const report = await importTranscripts({
    root: join(dir, "projects"),
    source: claude.transcripts,
    projectOf: (cwd) => cwd,
    acceptor: createAcceptor({ mayRecord: () => true }),
    append: async (events) => {
      unapplied += events.length;
      maxUnapplied = Math.max(maxUnapplied, unapplied);
    },
    onBatch: async () => {
      unapplied = 0;
    },
    load: async () => undefined,
    save: async () => undefined,
    quarantine: openQuarantine(join(dir, "quarantine"), Date.now),
    onProgress: (progress) => updates.push(progress),
  });
  expect(report).toMatchObject({ files: 1, badLines: 0 });
  expect(report.events).toBeGreaterThanOrEqual(LINES);
  expect(maxUnapplied).toBeLessThan(LINES / 2);
  const partial = updates.filter(({ bytes }) => bytes > 0 && bytes < report.totalBytes);
  expect(partial.length).toBeGreaterThanOrEqual(2);
  expect(updates.map(({ bytes }) => bytes)).toEqual(updates.map(({ bytes }) => bytes).sort((a, b) => a - b));
  expect(updates[0]).toMatchObject({ bytes: 0, totalBytes: report.totalBytes });
});

it("rejects with the error of a failed write, and saves no position", async () => {
  writeSession();
  const saved: string[] = [];
  let appends = 0;
  const importing = importTranscripts({
    root: join(dir, "projects"),
    source: claude.transcripts,
    projectOf: (cwd) => cwd,
    acceptor: createAcceptor({ mayRecord: () => true }),
    append: async () => {
      if (++appends === 2) throw new Error("the disk is full");
    },
    load: async () => undefined,
    save: async (path) => void saved.push(path),
    quarantine: openQuarantine(join(dir, "quarantine"), Date.now),
  });
  await expect(importing).rejects.toThrow("the disk is full");
  expect([appends, saved]).toEqual([2, []]);
});

it("reads a transcript again from its start after it was truncated", async () => {
  const positions = new Map<string, TailPosition>();
  const prompts: unknown[] = [];
  const runImport = () =>
    importTranscripts({
      root: join(dir, "projects"),
      source: claude.transcripts,
      projectOf: (cwd) => cwd,
      acceptor: createAcceptor({ mayRecord: () => true }),
      append: async (events) =>
        void prompts.push(
          ...events.filter(({ eventType }) => eventType === "turn.start").map((event) => event["prompt"]),
        ),
      load: async (path) => positions.get(path),
      save: async (path, position) => void positions.set(path, position),
      quarantine: openQuarantine(join(dir, "quarantine"), Date.now),
    });
  writeSession([0, 1, 2, 3]);
  await runImport();
  expect(prompts.splice(0)).toEqual(["prompt 0", "prompt 1", "prompt 2", "prompt 3"]);
  writeSession([0, 100]);
  await runImport();
  expect(prompts.splice(0)).toEqual(["prompt 0", "prompt 100"]);
  writeSession([0, 100, 101]);
  await runImport();
  expect(prompts).toEqual(["prompt 101"]);
});
