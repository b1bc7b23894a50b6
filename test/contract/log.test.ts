import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFileLog } from "../../src/log/file/file-log.ts";
import { BROKEN_LOGS } from "./broken-logs.ts";
import { createInMemoryDisk, openInMemoryLog } from "./in-memory-log.ts";
import { LOG_GUARANTEES, type LogUnderTest } from "./log-contract.ts";

async function openFile(): Promise<LogUnderTest> {
  const dir = mkdtempSync(join(tmpdir(), "hookline-log-contract-"));
  const open = () =>
    openFileLog(join(dir, "lifecycle.jsonl"), {
      // A few lines, so every check includes rotation and compression.
      rotateBytes: 600,
      nowMs: Date.now,
      onNotice: () => undefined,
    });
  const log = await open();
  return {
    log,
    reopen: open,
    lose: () => {
      for (const name of readdirSync(dir)) rmSync(join(dir, name));
    },
    close: async () => {
      await log.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function openMemory(): Promise<LogUnderTest> {
  const disk = createInMemoryDisk();
  return {
    log: openInMemoryLog(disk),
    reopen: async () => openInMemoryLog(disk),
    lose: () => disk.lines.clear(),
    close: async () => undefined,
  };
}

describe.each([
  ["files", openFile],
  ["memory", openMemory],
])("a log of %s", (_kind, open) => {
  let under: LogUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());

  it.each(LOG_GUARANTEES.map(({ name, check }) => [name, check] as const))("%s", (_name, check) =>
    check(under),
  );
});

describe("a log that breaks a guarantee fails its check", () => {
  it("exist for every guarantee", () => {
    expect(BROKEN_LOGS.map(({ breaks }) => breaks).toSorted()).toEqual(
      LOG_GUARANTEES.map(({ name }) => name).toSorted(),
    );
  });

  it.each(BROKEN_LOGS)("$breaks: $how", async ({ breaks, wreck }) => {
    const under = await openMemory();
    const { check } = LOG_GUARANTEES.find(({ name }) => name === breaks)!;
    const broken = { ...under, ...wreck(under) };
    await expect(check(broken)).rejects.toThrow();
  });
});
