import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { BROKEN_FACTS } from "./broken-facts.ts";
import { FACTS_GUARANTEES, type FactsUnderTest } from "./facts-contract.ts";
import { createFactTables, openInMemoryFacts } from "./in-memory-facts.ts";

async function openSqlite(): Promise<FactsUnderTest> {
  const dir = mkdtempSync(join(tmpdir(), "hookline-facts-contract-"));
  const open = () => openSqliteStore(join(dir, "hookline.db"));
  const stores = [open()];
  const { db, facts } = stores[0]!;
  return {
    facts,
    reopen: async () => {
      stores.push(open());
      return stores.at(-1)!.facts;
    },
    refuse: (id) =>
      db.raw.exec(
        `CREATE TEMP TRIGGER refuses BEFORE INSERT ON facts WHEN new.id = '${id}'
         BEGIN SELECT RAISE(ABORT, 'refused'); END`,
      ),
    failing: async (work) => {
      db.raw.exec(
        "CREATE TEMP TRIGGER fails BEFORE INSERT ON log_positions BEGIN SELECT RAISE(ABORT, 'failed'); END",
      );
      await expect(work()).rejects.toThrow("failed");
      db.raw.exec("DROP TRIGGER fails");
    },
    close: async () => {
      for (const store of stores) await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function openMemory(): Promise<FactsUnderTest> {
  const tables = createFactTables();
  return {
    facts: openInMemoryFacts(tables),
    reopen: async () => openInMemoryFacts(tables),
    refuse: (id) => void tables.refuses.add(id),
    failing: async (work) => {
      tables.isFailing = true;
      await expect(work()).rejects.toThrow("failed");
      tables.isFailing = false;
    },
    close: async () => undefined,
  };
}

describe.each([
  ["SQLite", openSqlite],
  ["memory", openMemory],
])("facts in %s", (_kind, open) => {
  let under: FactsUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());

  it.each(FACTS_GUARANTEES.map(({ name, check }) => [name, check] as const))("%s", (_name, check) =>
    check(under),
  );
});

describe("facts that break a guarantee fail its check", () => {
  it("exist for every guarantee", () => {
    expect(BROKEN_FACTS.map(({ breaks }) => breaks).toSorted()).toEqual(
      FACTS_GUARANTEES.map(({ name }) => name).toSorted(),
    );
  });

  it.each(BROKEN_FACTS)("$breaks: $how", async ({ breaks, wreck }) => {
    const under = await openMemory();
    const { check } = FACTS_GUARANTEES.find(({ name }) => name === breaks)!;
    await expect(check({ ...under, ...wreck(under) })).rejects.toThrow();
  });
});
