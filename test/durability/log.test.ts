import {
  appendFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ContractDump, type Hookline, openHookline } from "../support/hookline.ts";
import { eventsOf, realRun, varied } from "./payloads.ts";

const config = { rotateBytes: 16 * 1024 };

let hookline: Hookline;
beforeEach(() => {
  hookline = openHookline({ config });
});
afterEach(() => hookline.close());

const run = realRun("skill").map(({ payload }) => payload);
const more = realRun("mcp").map(({ payload }) => payload);

async function fireAll(payloads: readonly Record<string, unknown>[]): Promise<void> {
  for (const payload of payloads) await hookline.fire(payload);
}

/** The records of a daemon that was then killed, each in its own home. */
let killed: Hookline;
beforeAll(async () => {
  hookline = openHookline({ config });
  killed = hookline;
  const daemon = await killed.start();
  await fireAll([...run, ...more]);
  await killed.settle();
  await daemon.kill();
});
afterAll(() => killed.close());

async function openKilled(): Promise<ContractDump> {
  await hookline.close();
  hookline = openHookline({ config, copyOf: killed.home });
  return rows();
}

/** Everything but the position in our own log, which is another file now. */
function rows(): ContractDump {
  return { ...hookline.dump(), lifecycle_stream_offsets: [] };
}

/** A new active segment contains nothing to lose. */
async function fillActive(): Promise<void> {
  for (let shot = 0; statSync(active()).size === 0; shot++) {
    await hookline.fire({ hook_event_name: "Stop", session_id: `filler-${shot}`, cwd: "/x" });
    await hookline.settle();
  }
}

async function rebuilt(): Promise<ContractDump> {
  await hookline.ask("POST", "/api/rebuild");
  return rows();
}

const active = (): string => join(hookline.home.stream, "lifecycle.jsonl");

const HARMS: readonly [string, () => void][] = [
  ["deleted", () => rmSync(active())],
  ["truncated", () => truncateSync(active(), 0)],
  [
    "cut in the middle of a line",
    () => truncateSync(active(), Math.floor(statSync(active()).size * 0.9) - 3),
  ],
  [
    "replaced by an empty file",
    () => {
      renameSync(active(), join(hookline.root, "moved.jsonl"));
      writeFileSync(active(), "");
    },
  ],
  ["deleted with its folder", () => rmSync(hookline.home.stream, { recursive: true })],
  [
    "robbed of its oldest segment",
    () => {
      const oldest = readdirSync(hookline.home.stream).find((name) => /^lifecycle-1\.jsonl/.test(name))!;
      rmSync(join(hookline.home.stream, oldest));
    },
  ],
];

describe.each(HARMS)("a log %s", (_what, harm) => {
  it("while the daemon runs is repaired, and a rebuild gives the same tables", async () => {
    await hookline.start();
    await fireAll([...run, ...more]);
    await hookline.settle();
    await fillActive();
    await hookline.ask("POST", "/api/rebuild");
    const before = rows();
    harm();
    await hookline.fire({ hook_event_name: "Stop", session_id: "after", cwd: "/x" });
    await hookline.settle();
    const after = rows();
    expect(after["events"]!.length).toBe(before["events"]!.length + 1);
    expect(after["observations"]).toEqual(before["observations"]);
    expect(await rebuilt()).toEqual(after);
    expect((await hookline.status()).notices.join("\n")).toContain("restor");
  });

  it("while the daemon is down is repaired at the next start", async () => {
    const before = await openKilled();
    harm();
    await hookline.start();
    await hookline.settle();
    expect(rows()).toEqual(before);
    expect(await rebuilt()).toEqual(before);
  });
});

it("is deleted repeatedly while hooks fire without loss", async () => {
  await hookline.start();
  let isFiring = true;
  const harming = (async () => {
    while (isFiring) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      rmSync(active(), { force: true });
    }
  })();
  const expected = new Map<string, number>();
  for (let shot = 0; shot < 100; shot++) {
    const payload = varied(more[shot % more.length]!, `s${shot}`, String(shot));
    for (const type of eventsOf(payload))
      expected.set(`s${shot} ${type}`, (expected.get(`s${shot} ${type}`) ?? 0) + 1);
    await hookline.fire(payload);
  }
  isFiring = false;
  await harming;
  await hookline.settle();
  const stored = (): Map<string, number> =>
    new Map(
      hookline
        .query(
          "SELECT session_id || ' ' || event_type AS what, count(*) AS n FROM events WHERE event_type NOT LIKE 'memory.%' GROUP BY 1",
        )
        .map((row) => [row["what"] as string, row["n"] as number]),
    );
  expect(stored()).toEqual(expected);
  const before = rows();
  expect(await rebuilt()).toEqual(before);
});

it.each(HARMS.filter((_, index) => index % 2 === 0))(
  "a log %s while the daemon runs, and a rebuild asked for at once",
  async (_what, harm) => {
    await hookline.start();
    await fireAll([...run, ...more]);
    await hookline.settle();
    const before = rows();
    harm();
    expect(await rebuilt()).toEqual(before);
    await fireAll(realRun("slash").map(({ payload }) => payload));
    await hookline.settle();
    const after = rows();
    expect(after["events"]!.length).toBeGreaterThan(before["events"]!.length);
    expect(await rebuilt()).toEqual(after);
  },
);

it("a log whose closed segments were deleted while the daemon was down, with a tail that nobody had read", async () => {
  const before = await openKilled();
  const unread = { v: 1, id: "unread", eventType: "agent.event", occurredAtIso: "2026-01-01T00:00:00.000Z" };
  const place = { sessionId: "unread", provider: "claude", projectPath: null, cwd: null, origin: "hook" };
  appendFileSync(active(), `${JSON.stringify({ ...unread, ...place })}\n`);
  for (const name of readdirSync(hookline.home.stream))
    if (/-\d+\.jsonl/.test(name)) rmSync(join(hookline.home.stream, name));
  await hookline.start();
  await hookline.settle();
  const after = rows();
  expect(after["events"]).toHaveLength(before["events"]!.length + 1);
  expect(await rebuilt()).toEqual(after);
});
