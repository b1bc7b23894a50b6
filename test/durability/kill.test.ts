import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import type { Health } from "../../src/serve/contract.ts";
import { type DaemonChild, type Hookline, openHookline } from "../support/hookline.ts";
import { eventsOf, type Payload, realPayloads, varied } from "./payloads.ts";

const KILLS = 50;
const WRITERS = 2;
const SHOTS_PER_SESSION = 12;
/** Pause between two hooks of a writer, so the daemon gets CPU time too. */
const PAUSE_MS = 25;

let hookline: Hookline;
afterEach(() => hookline.close());

it("loses and duplicates nothing when the daemon is killed 50 times while hooks fire", async () => {
  hookline = openHookline({ config: { rotateBytes: 16 * 1024 } });
  const expected = new Map<string, number>();
  const payloads = realPayloads();
  let isFiring = true;

  const write = async (writer: number): Promise<void> => {
    for (let shot = 0; isFiring; shot++) {
      const session = `kill-${writer}-${Math.floor(shot / SHOTS_PER_SESSION)}`;
      const payload = varied(pick(payloads), session, `${writer}-${shot}`);
      for (const type of eventsOf(payload)) count(expected, `${session} ${type}`);
      // The first sessions get the welcome message.
      expect(await hookline.fire(payload)).toMatchObject({ code: 0, stderr: "" });
      await setTimeout(PAUSE_MS);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));

  let rebuilds = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // Some die while they start or catch up, some while they work.
    const daemon = kill % 2 === 0 ? hookline.spawn() : await startToWork();
    await setTimeout(Math.random() * (kill % 2 === 0 ? 700 : 250));
    if (Math.random() < 0.4) {
      rebuilds++;
      hookline.ask("POST", "/api/rebuild").catch(() => undefined);
      await setTimeout(Math.random() * 100);
    }
    await daemon.kill();
  }
  isFiring = false;
  await Promise.all(writers);

  const daemon = await hookline.start();
  const status = await hookline.settle();
  const fired = [...expected.values()].reduce((sum, n) => sum + n, 0);
  const files = readdirSync(hookline.home.stream);
  console.info(`${fired} events, ${files.length} segments, ${rebuilds} rebuilds cut or done`);
  expect(hookline.spoolFiles()).toEqual([]);
  expect(status).toMatchObject({ torn: 0, quarantined: 0, refused: 0 });
  expect(stored()).toEqual(expected);
  expect(files.filter((name) => /^lifecycle-\d+\.jsonl/.test(name)).length).toBeGreaterThan(2);
  // Nothing of the log was lost, and no daemon reported a loss.
  expect(readFileSync(hookline.home.daemonLog, "utf8")).not.toMatch(/restored|corrupt|failed/);

  const before = hookline.dump();
  const rebuilt = await hookline.run("rebuild", "--json");
  expect(rebuilt).toMatchObject({ code: 0, stderr: "" });
  // Injections are recorded as well.
  const given = before["events"]!.filter((row) => String(row["event_type"]).startsWith("memory."));
  expect(JSON.parse(rebuilt.stdout)).toMatchObject({ events: fired + given.length });
  expect(hookline.dump()).toEqual(before);
  await daemon.kill("SIGTERM");
  expect(hookline.dump()).toEqual(before);
}, 480_000);

/** It answers before its log and database are open. */
async function startToWork(): Promise<DaemonChild> {
  const daemon = await hookline.start();
  while ((await hookline.ask<Health>("GET", "/api/health")).starting) await setTimeout(10);
  return daemon;
}

function stored(): Map<string, number> {
  const rows = hookline.query(
    "SELECT session_id || ' ' || event_type AS what, count(*) AS n FROM events WHERE event_type NOT LIKE 'memory.%' GROUP BY 1",
  );
  return new Map(rows.map((row) => [row["what"] as string, row["n"] as number]));
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function pick(payloads: readonly Payload[]): Payload {
  return payloads[Math.floor(Math.random() * payloads.length)]!;
}
