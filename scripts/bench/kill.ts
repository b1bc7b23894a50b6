// Row 5, reduced: kill -9 under load. The full version, with rotation, rebuild and 50 kills, is a test:
// `vitest run test/durability`.

import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchHome, createBenchHome, spawnDaemon } from "./bench-home.ts";
import { fireHook } from "./fire-hook.ts";
import { payloadOf } from "./payloads.ts";
import type { Row } from "./report.ts";

const CONCURRENT_HOOKS = 3;

export async function benchKill(kills: number): Promise<Row[]> {
  const place = createBenchHome();
  // Small enough that segments rotate during the run.
  writeFileSync(place.home.configFile, JSON.stringify({ rotateBytes: 64 * 1_024 }));
  const load = fireWithoutPause(place);
  for (let n = 0; n < kills; n++) {
    const daemon = spawnDaemon(place);
    await daemon.untilHealthy();
    await sleep(50 + Math.random() * 700);
    await daemon.stop("SIGKILL");
  }
  const sent = await load.end();
  const daemon = spawnDaemon(place);
  await daemon.untilHealthy();
  const found = await readWhenSettled(place);
  await daemon.stop();
  const inSpool = place.spoolDepth();
  place.remove();

  const lost = sent.filter((message) => !found.has(message)).length;
  const doubled = [...found.values()].filter((times) => times > 1).length;
  const strange = found.size - (sent.length - lost);
  return [
    {
      row: "5",
      what: `kill -9 of the daemon, ${kills} times under load`,
      measured: `${lost} lost, ${doubled} doubled, ${inSpool} left in the spool`,
      comparedWith: `${sent.length} hooks fired; 50 kills, rotation and rebuild: vitest run test/durability`,
      budget: "0 lost, 0 doubled",
      ok: lost === 0 && doubled === 0 && strange === 0 && inSpool === 0,
      figures: { lost, doubled, inSpool, sent: sent.length, kills },
    },
  ];
}

/** Uses notifications: their id is the delivery's, so a file ingested twice would make two rows. */
function fireWithoutPause(place: BenchHome): { end(): Promise<string[]> } {
  const sent: string[] = [];
  let isEnding = false;
  const fire = async (worker: number): Promise<void> => {
    for (let n = 0; !isEnding; n++) {
      const message = `kill ${worker}-${n}`;
      await fireHook(place, payloadOf("Notification.idle-prompt", { message, session_id: `s${n % 5}` }, 0));
      sent.push(message);
    }
  };
  const workers = Array.from({ length: CONCURRENT_HOOKS }, (_, worker) => fire(worker));
  return {
    async end() {
      isEnding = true;
      await Promise.all(workers);
      return sent;
    },
  };
}

/** Returns what the database holds, with counts, once the spool is empty and nothing more arrives. */
async function readWhenSettled(place: BenchHome): Promise<Map<string, number>> {
  let before = -1;
  for (let quiet = 0; quiet < 3; await sleep(300)) {
    const rows = messages(place);
    quiet = rows.length === before && place.spoolDepth() === 0 ? quiet + 1 : 0;
    before = rows.length;
  }
  const found = new Map<string, number>();
  for (const message of messages(place)) found.set(message, (found.get(message) ?? 0) + 1);
  return found;
}

function messages(place: BenchHome): string[] {
  const db = place.openDatabase();
  const rows = db
    .prepare(
      "SELECT json_extract(payload_json, '$.message') AS message FROM events WHERE event_type = 'notification'",
    )
    .all();
  db.close();
  return rows.map((row) => String(row["message"]));
}
