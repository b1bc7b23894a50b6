import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rowId } from "../../src/event/ids.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { BROKEN_JOBS } from "./broken-jobs.ts";
import { createJobTables, keyOf, openInMemoryJobs } from "./in-memory-jobs.ts";
import { JOBS_GUARANTEES, type JobsUnderTest } from "./jobs-contract.ts";

async function openSqlite(): Promise<JobsUnderTest> {
  const dir = mkdtempSync(join(tmpdir(), "hookline-jobs-contract-"));
  const open = () => openSqliteStore(join(dir, "hookline.db"));
  const stores = [open()];
  const { db, jobs } = stores[0]!;
  return {
    jobs,
    reopen: async () => {
      stores.push(open());
      return stores.at(-1)!.jobs;
    },
    markSummarised: (turn) =>
      void db
        .sql(
          "INSERT INTO memory_made (item_id, made_by, session_id, fact_id, item_json) VALUES (?, 'model', ?, 'f', '{}')",
        )
        .run(rowId("summary", keyOf(turn)), turn.sessionId),
    close: async () => {
      for (const store of stores) await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function openMemory(): Promise<JobsUnderTest> {
  const tables = createJobTables();
  return {
    jobs: openInMemoryJobs(tables),
    reopen: async () => openInMemoryJobs(tables),
    markSummarised: (turn) => void tables.summarised.add(keyOf(turn)),
    close: async () => undefined,
  };
}

describe.each([
  ["SQLite", openSqlite],
  ["memory", openMemory],
])("jobs in %s", (_kind, open) => {
  let under: JobsUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());

  it.each(JOBS_GUARANTEES.map(({ name, check }) => [name, check] as const))("%s", (_name, check) =>
    check(under),
  );
});

describe("a queue that breaks a guarantee fails its check", () => {
  it("exist for every guarantee", () => {
    expect(BROKEN_JOBS.map(({ breaks }) => breaks).toSorted()).toEqual(
      JOBS_GUARANTEES.map(({ name }) => name).toSorted(),
    );
  });

  it.each(BROKEN_JOBS)("$breaks: $how", async ({ breaks, wreck }) => {
    const under = await openMemory();
    const { check } = JOBS_GUARANTEES.find(({ name }) => name === breaks)!;
    await expect(check({ ...under, ...wreck(under) })).rejects.toThrow();
  });
});
