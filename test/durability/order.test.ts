import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import type { NewEvent } from "../../src/event/event.ts";
import { contentHash } from "../../src/event/ids.ts";
import { toLine } from "../../src/event/line.ts";
import { openFileLogReader } from "../../src/log/file/file-log-reader.ts";
import { catchUp } from "../../src/store/catch-up.ts";
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { type ContractDump, dumpContract } from "../support/hookline.ts";
import { positionAt } from "../support/position.ts";
import { RUNS, realRun } from "./payloads.ts";

const dir = mkdtempSync(join(tmpdir(), "hookline-order-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Told {
  readonly timeMs: number;
  readonly events: readonly NewEvent[];
}

/** A run as the spool would deliver it: names, times and hashes are the run's own. */
function told(run: string): Told[] {
  return realRun(run).map(({ t, payload }, index) => ({
    timeMs: Date.parse(t),
    events: claude.translateHook(
      {
        payload,
        env: {},
        name: `7-${index}-0`,
        timeNs: `${Date.parse(t)}000000`,
        occurredAtIso: t,
        contentHash: () => contentHash(JSON.stringify(payload)),
        pid: 7,
      },
      (cwd) => cwd,
    ),
  }));
}

function accepted(events: readonly NewEvent[]): string[] {
  return createAcceptor({ mayRecord: () => true })
    .accept(events)
    .map(toLine);
}

/** Any order in which no event overtakes another by more than two seconds. */
function shuffled<T extends { timeMs: number }>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc
    .array(fc.double({ min: 0, max: 2_000, noNaN: true }), {
      minLength: items.length,
      maxLength: items.length,
    })
    .map((delays) =>
      items
        .map((item, index) => ({ item, at: item.timeMs + delays[index]! }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
    );
}

async function withStore<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
  const store = openSqliteStore(":memory:");
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Applies lines in batches split at these indexes. */
async function apply(
  store: SqliteStore,
  lines: readonly string[],
  cuts: readonly number[] = [],
): Promise<void> {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (lines.length + 1)), lines.length])].sort(
    (a, b) => a - b,
  );
  for (let at = 1; at < places.length; at++) {
    const batch = lines.slice(places[at - 1], places[at]);
    await store.facts.apply({ lines: batch, part: 1, next: positionAt(places[at]!) });
  }
}

function dump(store: SqliteStore): ContractDump {
  // The log position is no row of a session.
  return { ...dumpContract(store.db.raw), lifecycle_stream_offsets: [] };
}

function dumpOf(lines: readonly string[], cuts?: readonly number[]): Promise<ContractDump> {
  return withStore(async (store) => {
    await apply(store, lines, cuts);
    return dump(store);
  });
}

const cutsOf = fc.array(fc.nat(200), { maxLength: 8 });

describe.each(RUNS)("the run %s", (run) => {
  const tellings = told(run);
  const lines = tellings.map(({ timeMs, events }) => ({ timeMs, events }));
  const inOrder = accepted(tellings.flatMap(({ events }) => events));
  const timed = inOrder.map((line) => ({
    line,
    timeMs: Date.parse((JSON.parse(line) as { occurredAtIso: string }).occurredAtIso),
  }));

  it("gives the same rows in any order of its log within 2 s, and in any batches", async () => {
    const expected = await dumpOf(inOrder);
    expect(expected["events"]!.length).toBeGreaterThan(5);
    await fc.assert(
      fc.asyncProperty(shuffled(timed), cutsOf, async (order, cuts) => {
        expect(
          await dumpOf(
            order.map(({ line }) => line),
            cuts,
          ),
        ).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it("gives the same rows when its hooks are captured in any order within 2 s", async () => {
    const expected = await dumpOf(inOrder);
    await fc.assert(
      fc.asyncProperty(shuffled(lines), async (order) => {
        expect(await dumpOf(accepted(order.flatMap(({ events }) => events)))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it("is unchanged when any part is delivered again", async () => {
    const expected = await dumpOf(inOrder);
    await fc.assert(
      fc.asyncProperty(fc.subarray(inOrder), fc.subarray(inOrder), cutsOf, async (early, late, cuts) => {
        await withStore(async (store) => {
          await apply(store, early);
          await apply(store, inOrder, cuts);
          await apply(store, late);
          expect(dump(store)).toEqual(expected);
        });
      }),
      { numRuns: 15 },
    );
  });
});

it("gives the same database from the log's files as line by line", async () => {
  const lines = RUNS.flatMap((run) => accepted(told(run).flatMap(({ events }) => events)));
  const path = join(dir, "lifecycle.jsonl");
  writeFileSync(path, `${lines.join("\n")}\n`);
  const store = openSqliteStore(join(dir, "again.db"));
  try {
    await catchUp(openFileLogReader(path), store.facts);
    expect(dump(store)).toEqual(
      await dumpOf(
        lines,
        lines.map((_, index) => index),
      ),
    );
  } finally {
    await store.close();
  }
});
