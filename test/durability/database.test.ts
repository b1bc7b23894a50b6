import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DaemonStatus } from "../../src/serve/contract.ts";
import { type ContractDump, type Hookline, openHookline } from "../support/hookline.ts";
import { realRun } from "./payloads.ts";

let hookline: Hookline;
beforeEach(() => {
  hookline = openHookline();
});
afterEach(() => hookline.close());

const payloads = [...realRun("skill"), ...realRun("mcp")].map(({ payload }) => payload);

async function record(): Promise<ContractDump> {
  for (const payload of payloads) await hookline.fire(payload);
  await hookline.settle();
  return hookline.dump();
}

/** The records of a daemon that was then stopped, each in its own home. */
let stopped: Hookline;
beforeAll(async () => {
  hookline = openHookline();
  stopped = hookline;
  const daemon = await stopped.start();
  await record();
  await daemon.kill("SIGTERM");
});
afterAll(() => stopped.close());

async function openStopped(): Promise<ContractDump> {
  await hookline.close();
  hookline = openHookline({ copyOf: stopped.home });
  return hookline.dump();
}

/** A daemon that finds its database broken during a query answers the next one. */
async function settleSoon(): Promise<DaemonStatus> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await hookline.settle();
    } catch (error) {
      if (attempt === 20) throw error;
      await setTimeout(100);
    }
  }
}

function openOther(): DatabaseSync {
  return new DatabaseSync(hookline.home.db, { timeout: 5_000 });
}

it("continues capture while another process locks it, and catches up", async () => {
  await hookline.start();
  await record();
  const other = openOther();
  try {
    other.exec("BEGIN EXCLUSIVE");
    const before = hookline.query("SELECT count(*) AS n FROM events")[0]!["n"] as number;
    for (let i = 0; i < 5; i++) await hookline.fire({ hook_event_name: "Stop", session_id: `locked-${i}` });
    await expect.poll(() => hookline.spoolFiles()).toEqual([]);
    const notices = async () => (await hookline.status()).notices.join("\n");
    await expect.poll(notices).toContain("the database is busy");
    expect(hookline.query("SELECT count(*) AS n FROM events")[0]!["n"]).toBe(before);
    other.exec("ROLLBACK");
    const status = await hookline.settle();
    expect(status.events).toBe(before + 5);
    expect(status.notices.join("\n")).toContain("the database is busy");
  } finally {
    other.close();
  }
});

it("waits without loss when locked while the daemon starts", async () => {
  const before = await openStopped();
  await hookline.fire({ hook_event_name: "Stop", session_id: "waiting" });
  const other = openOther();
  other.exec("BEGIN EXCLUSIVE");
  const starting = hookline.start();
  await setTimeout(1_000);
  other.exec("ROLLBACK");
  other.close();
  await starting;
  expect((await hookline.settle()).events).toBe(before["events"]!.length + 1);
});

it.each(["IMMEDIATE", "EXCLUSIVE"])(
  "write-locked (%s) for long while the daemon starts: it waits all the same",
  async (kind) => {
    const before = await openStopped();
    await hookline.fire({ hook_event_name: "Stop", session_id: "waiting" });
    const other = openOther();
    other.exec(`BEGIN ${kind}`);
    const starting = hookline.start();
    const daemon = await starting;
    let hasEnded = false;
    void daemon.ended.then(() => {
      hasEnded = true;
    });
    // Longer than the busy timeout of any statement.
    await setTimeout(6_000);
    expect(hasEnded).toBe(false);
    other.exec("ROLLBACK");
    other.close();
    expect((await hookline.settle()).events).toBe(before["events"]!.length + 1);
  },
);

const DAMAGE: readonly [string, (path: string) => void][] = [
  ["with another header", (path) => overwrite(path, 0, Buffer.from("no database at all, but a text"))],
  [
    "with garbage in every page but the first",
    (path) => {
      for (let at = 4096; at < statSync(path).size; at += 4096) overwrite(path, at, Buffer.alloc(4096, 0x5a));
    },
  ],
  [
    "with garbage in every third page",
    (path) => {
      for (let at = 4096; at < statSync(path).size; at += 3 * 4096)
        overwrite(path, at, Buffer.alloc(4096, 0x5a));
    },
  ],
];

function overwrite(path: string, at: number, bytes: Buffer): void {
  const fd = openSync(path, "r+");
  writeSync(fd, bytes, 0, bytes.length, at);
  closeSync(fd);
}

describe.each(DAMAGE)("a database %s", (_what, damage) => {
  it("is moved aside, rebuilt from the log, and reported", async () => {
    const before = await openStopped();
    damage(hookline.home.db);
    await hookline.start();
    // Reads every table, to hit the damage wherever it is.
    await settleSoon();
    await hookline.fire({ hook_event_name: "Stop", session_id: "after", prompt_id: "p" });
    const status = await settleSoon();
    expect(status.events).toBe(before["events"]!.length + 1);
    expect(readdirSync(hookline.home.dir).filter((name) => name.includes(".corrupt-"))).toHaveLength(1);
    expect(status.notices.join("\n")).toMatch(/the database is corrupt: moved to .*corrupt-\d+ and rebuilt/);
    const after = hookline.dump();
    expect(after["observations"]).toEqual(before["observations"]);
    expect(after["user_prompts"]).toEqual(before["user_prompts"]);
    expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
    expect(hookline.dump()).toEqual(after);
  });

  it("is rebuilt by `rebuild` with the daemon down", async () => {
    const before = await openStopped();
    damage(hookline.home.db);
    const result = await hookline.run("rebuild", "--json");
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(hookline.dump()).toEqual(before);
  });
});

it("written by a newer version is refused with a clear message, and stays as it is", async () => {
  await openStopped();
  const other = openOther();
  other.exec("PRAGMA user_version = 99");
  other.close();
  await hookline.fire({ hook_event_name: "Stop", session_id: "later" });
  const refused = hookline.spawn();
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toMatch(
    /^hookline: .*hookline\.db was written by a newer hookline \(schema 99, this version supports up to \d+\): update hookline\n$/,
  );
  expect(hookline.spoolFiles()).toHaveLength(1);
  expect(hookline.query("PRAGMA user_version")).toEqual([{ user_version: 99 }]);
});

it("records a refused row with the reason, and applies the rest", async () => {
  await hookline.start();
  const before = await record();
  const other = openOther();
  other.exec(
    `CREATE TRIGGER no_thanks BEFORE INSERT ON facts WHEN NEW.session_id = 'unwanted'
     BEGIN SELECT RAISE(ABORT, 'not this one'); END`,
  );
  other.close();
  for (const session of ["wanted-1", "unwanted", "wanted-2"])
    await hookline.fire({ hook_event_name: "Stop", session_id: session });
  const status = await hookline.settle();
  expect(status).toMatchObject({ refused: 1, events: before["events"]!.length + 2 });
  expect(status.notices.join("\n")).toContain("the database refused 1 events; see the table refused_events");
  const refused = hookline.query(
    "SELECT reason, json_extract(event_json, '$.sessionId') AS s FROM refused_events",
  );
  expect(refused).toEqual([{ reason: "not this one", s: "unwanted" }]);
  // The log has it, so a database without that trigger accepts it.
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  expect(await hookline.status()).toMatchObject({ refused: 0, events: before["events"]!.length + 3 });
});

it("is rebuilt by a rebuild and by a restart after it was deleted under a running daemon", async () => {
  const daemon = await hookline.start();
  const before = await record();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${hookline.home.db}${suffix}`, { force: true });
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  expect(hookline.dump()).toEqual(before);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${hookline.home.db}${suffix}`, { force: true });
  await daemon.kill();
  await hookline.start();
  await hookline.settle();
  expect(hookline.dump()).toEqual(before);
});

it("stays intact when another process that read it across a rebuild exits", async () => {
  const daemon = await hookline.start();
  const before = await record();
  const reader = openOther();
  reader.prepare("SELECT count(*) FROM events").get();
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  await hookline.fire({ hook_event_name: "Stop", session_id: "after-1" });
  await hookline.settle();
  reader.close();
  await hookline.fire({ hook_event_name: "Stop", session_id: "after-2" });
  await hookline.settle();
  expect(hookline.dump()["events"]).toHaveLength(before["events"]!.length + 2);
  await daemon.kill();
  await hookline.start();
  await hookline.settle();
  expect(hookline.dump()["events"]).toHaveLength(before["events"]!.length + 2);
  expect(hookline.query("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
});
