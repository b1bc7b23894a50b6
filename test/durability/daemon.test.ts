import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { type Hookline, openScratch, type ScratchOptions } from "../support/hookline.ts";
import { RUNS, realRun } from "./payloads.ts";

const opened: Hookline[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((hookline) => hookline.close()));
});

function scratch(options?: ScratchOptions): Hookline {
  const hookline = openScratch(options);
  opened.push(hookline);
  return hookline;
}

it("a second daemon says who serves the home already, exits 1, and disturbs nothing", async () => {
  const hookline = scratch();
  const first = await hookline.start();
  const second = hookline.spawn();
  expect(await second.ended).toBe(1);
  expect(second.output()).toBe(`hookline: a daemon (pid ${first.pid}) already serves ${hookline.home.dir}\n`);
  await hookline.fire({ hook_event_name: "Stop", session_id: "still" });
  expect(await hookline.settle()).toMatchObject({ pid: first.pid, events: 1 });
});

it("ten daemons at once: one stays", async () => {
  const hookline = scratch();
  const daemons = Array.from({ length: 10 }, () => hookline.spawn());
  const codes = await Promise.all(
    daemons.map((daemon) => Promise.race([daemon.ended, setTimeout(8_000, "runs" as const)])),
  );
  expect(codes.filter((code) => code === "runs")).toHaveLength(1);
  expect(codes.filter((code) => code === 1)).toHaveLength(9);
});

it("a home where no socket can be opened: says so, exits 1, and leaves no half daemon", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hookline-long-"));
  try {
    const homeDir = join(dir, "x".repeat(120));
    mkdirSync(homeDir);
    const hookline = scratch({ homeDir });
    const daemon = hookline.spawn();
    expect(await Promise.race([daemon.ended, setTimeout(5_000, "runs")])).toBe(1);
    expect(daemon.output()).toMatch(/^hookline: /);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

it("daemon down during whole runs and started later: the same rows as with it up", async () => {
  const runs = RUNS.flatMap((run) => realRun(run).map(({ payload }) => payload));
  const [up, down] = [scratch(), scratch()];
  await up.start();
  const fireAll = async (hookline: Hookline): Promise<void> => {
    for (const payload of runs) {
      await hookline.fire(payload);
      // Births are as coarse as the kernel's tick; an agent is slower than that.
      await setTimeout(8);
    }
  };
  await Promise.all([fireAll(up), fireAll(down)]);
  expect(down.spooled()).toHaveLength(runs.length);
  await down.start();
  const [first, second] = [await up.settle(), await down.settle()];
  expect(second).toMatchObject({ events: first.events, torn: 0, quarantined: 0, refused: 0 });
  expect(timeless(down)).toEqual(timeless(up));
}, 30_000);

it("a quiet daemon uses no CPU to speak of", async () => {
  const hookline = scratch();
  const daemon = await hookline.start();
  await hookline.fire({ hook_event_name: "Stop", session_id: "s" });
  await hookline.settle();
  await setTimeout(500);
  const before = cpuMs(daemon.pid);
  await setTimeout(5_000);
  const used = cpuMs(daemon.pid) - before;
  console.info(`idle: ${used} ms of CPU in 5 s`);
  expect(used).toBeLessThan(100);
});

it("SIGTERM while hooks fire: what was accepted is in log and database, and it starts again", async () => {
  const hookline = scratch({ config: { rotateBytes: 16 * 1024 } });
  let fired = 0;
  for (let round = 0; round < 4; round++) {
    const daemon = await hookline.start();
    const firing = (async () => {
      for (let shot = 0; shot < 25; shot++, fired++)
        await hookline.fire({ hook_event_name: "Stop", session_id: `s${round}`, n: shot });
    })();
    await setTimeout(60);
    expect(await daemon.kill("SIGTERM")).toBe(0);
    await firing;
  }
  await hookline.start();
  expect((await hookline.settle()).events).toBe(fired);
});

/** User and system time: ticks of 10 ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The rows without when they were made, and without the ids that come from that. */
function timeless(hookline: Hookline): Record<string, string[]> {
  const timed = new Set(["occurredAtIso", "pid", "permissionId", "id"]);
  const times = new Set(["id", "occurred_at_iso", "timestamp", "created_at", "updated_at_iso"]);
  const tables = Object.entries(hookline.dump()).filter(([name]) => name !== "lifecycle_stream_offsets");
  return Object.fromEntries(
    tables.map(([name, rows]) => [
      name,
      rows
        .map((row) => {
          const kept = Object.entries(row).map(([column, value]): [string, unknown] => {
            if (column === "completed_at") return [column, value !== null];
            if (column !== "raw_json" && column !== "payload_json") return [column, value];
            const parsed = JSON.parse(value as string) as Record<string, unknown>;
            return [column, Object.fromEntries(Object.entries(parsed).filter(([key]) => !timed.has(key)))];
          });
          return JSON.stringify(kept.filter(([column]) => !times.has(column) || isKeyed(name, column)));
        })
        .sort(),
    ]),
  );
}

/** Integer ids are made from keys, not from time. */
function isKeyed(table: string, column: string): boolean {
  return column === "id" && ["sdk_sessions", "observations"].includes(table);
}
