import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type ContractDump, type Hookline, openHookline } from "../support/hookline.ts";
import { realRun, varied } from "./payloads.ts";

const config = { rotateBytes: 4 * 1024 };

/** The records of a daemon that was then stopped. */
let recorded: Hookline;
let hookline: Hookline | null = null;
beforeAll(async () => {
  recorded = openHookline({ config });
  const daemon = await recorded.start();
  for (const { payload } of [...realRun("skill"), ...realRun("mcp")]) {
    await recorded.fire(payload);
    // One by one: events that arrive together are one append and do not fill several segments.
    await recorded.settle();
  }
  await recorded.ask("POST", "/api/memory/flush");
  await daemon.kill("SIGTERM");
  expect(compressed(recorded).length).toBeGreaterThanOrEqual(3);
});
afterAll(() => recorded.close());
afterEach(async () => {
  await hookline?.close();
  hookline = null;
});

function open(): Hookline {
  hookline = openHookline({ config, copyOf: recorded.home });
  return hookline;
}

function rows(scratch: Hookline): ContractDump {
  return { ...scratch.dump(), lifecycle_stream_offsets: [] };
}

function compressed(scratch: Hookline): string[] {
  const { stream } = scratch.home;
  return readdirSync(stream)
    .filter((name) => name.endsWith(".zst"))
    .sort()
    .map((name) => join(stream, name));
}

const HARMS: readonly [string, (path: string) => void][] = [
  [
    "overwritten in the middle",
    (path) => {
      const bytes = readFileSync(path);
      bytes.fill(0xa5, bytes.length >> 1, (bytes.length >> 1) + 200);
      writeFileSync(path, bytes);
    },
  ],
  [
    "one bit of it turned",
    (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(path, bytes);
    },
  ],
  ["cut", (path) => truncateSync(path, readFileSync(path).length >> 1)],
  ["emptied", (path) => truncateSync(path, 0)],
];

async function soundness(scratch: Hookline): Promise<{ status: string; found: string }> {
  const { stdout } = await scratch.run("doctor", "--json");
  const { checks } = JSON.parse(stdout) as { checks: { code: string; status: string; found: string }[] };
  return checks.find(({ code }) => code === "log_sound")!;
}

it.each(HARMS)(
  "a compressed segment that was %s is found, and restored from the database",
  async (_what, harm) => {
    const scratch = open();
    const before = rows(scratch);
    const path = compressed(scratch)[0]!;
    harm(path);
    expect(await soundness(scratch)).toMatchObject({ status: "fail", found: expect.stringContaining(path) });
    await scratch.start();
    for (let round = 0; round < 2; round++) {
      await scratch.ask("POST", "/api/rebuild");
      await scratch.ask("POST", "/api/memory/flush");
      expect(rows(scratch)).toEqual(before);
    }
    expect((await scratch.status()).notices.join("\n")).toMatch(
      /segment \d+ of the log was damaged; restored [1-9]/,
    );
    expect(await soundness(scratch)).toMatchObject({ status: "ok" });
  },
);

it("reports what was lost with database and segment, and restores only the rest", async () => {
  const scratch = open();
  const before = rows(scratch);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${scratch.home.db}${suffix}`, { force: true });
  HARMS[0]![1](compressed(scratch)[0]!);
  await scratch.start();
  await scratch.settle();
  await scratch.ask("POST", "/api/rebuild");
  const ids = (dump: ContractDump, table: string): unknown[] => dump[table]!.map(({ id }) => id);
  const now = rows(scratch);
  for (const table of ["events", "sdk_sessions"]) {
    expect(now[table]!.length).toBeGreaterThan(0);
    expect(ids(before, table)).toEqual(expect.arrayContaining(ids(now, table)));
  }
  expect(now["events"]!.length).toBeLessThan(before["events"]!.length);
  expect((await scratch.status()).notices.join("\n")).toContain("may be lost");
  expect(await soundness(scratch)).toMatchObject({ status: "warn" });
});

it("forgets and captures despite a damaged segment", async () => {
  const scratch = open();
  HARMS[0]![1](compressed(scratch)[0]!);
  await scratch.start();
  await scratch.fire(varied(realRun("mcp")[0]!.payload, "another", "1"));
  await scratch.settle();
  const session = String(realRun("skill")[0]!.payload["session_id"]);
  await scratch.ask("POST", "/api/forget", { session });
  const left = scratch.query("SELECT count(*) AS n FROM events WHERE session_id = ?", session);
  expect(Number(left[0]!["n"])).toBe(0);
  await scratch.ask("POST", "/api/rebuild");
  const again = scratch.query("SELECT count(*) AS n FROM events WHERE session_id = ?", session);
  expect(Number(again[0]!["n"])).toBe(0);
});
