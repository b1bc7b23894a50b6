import { existsSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { ageText } from "./wording.ts";

export const clockChecks: readonly Check[] = [
  { code: "clock_events", run: checkEvents },
  { code: "clock_steady", run: checkJumps },
  { code: "clock_disk", run: checkDisk },
];

const AHEAD_MS = 2 * 60_000;

async function checkEvents(situation: CheckContext): Promise<Outcome> {
  const last = Object.entries(await lastEvents(situation)).sort((a, b) => b[1].localeCompare(a[1]))[0];
  if (last === undefined) return { status: "skipped", found: "No events yet." };
  const [source, iso] = last;
  const aheadMs = Date.parse(iso) - situation.nowMs();
  if (aheadMs <= AHEAD_MS) return { status: "ok", found: `Last event at ${iso} (${source}).` };
  return {
    status: "warn",
    found: `The last event (${source}) is ${ageText(aheadMs)} in the future: ${iso}.`,
    remedy: "Correct the clock of this machine, or of the machine the event came from.",
  };
}

async function lastEvents(situation: CheckContext): Promise<Readonly<Record<string, string>>> {
  const daemon = await situation.daemon();
  if (daemon.type === "answers" && daemon.status !== null) return daemon.status.lastEventPerSource;
  if (!existsSync(situation.home.db)) return {};
  try {
    const store = await situation.openStore();
    try {
      return (await store.facts.summary()).lastEventPerSource;
    } finally {
      await store.close();
    }
  } catch {
    // Problems of the database are reported by its own checks.
    return {};
  }
}

async function checkJumps(situation: CheckContext): Promise<Outcome> {
  const daemon = await situation.daemon();
  if (daemon.type !== "answers" || daemon.status === null)
    return { status: "skipped", found: "The daemon is not running." };
  return checkClockNotices(daemon.status.notices);
}

/** Pure. */
export function checkClockNotices(notices: readonly string[]): Outcome {
  const last = notices.findLast((notice) => /\bclock\b/i.test(notice));
  if (last === undefined) return { status: "ok", found: "No clock jumps detected." };
  return {
    status: "warn",
    found: `Clock jump detected: ${last.replace(/\.$/, "")}.`,
    remedy: "Events from that time may be out of order. Keep the clock in sync with NTP.",
  };
}

const APART_MS = 2_000;

async function checkDisk(situation: CheckContext): Promise<Outcome> {
  if (!existsSync(situation.home.dir))
    return { status: "skipped", found: "The home folder does not exist yet." };
  const probe = join(situation.home.dir, `.doctor-clock-${process.pid}`);
  try {
    await writeFile(probe, "", { mode: 0o600, flag: "wx" });
    const apartMs = Math.abs((await stat(probe)).mtimeMs - situation.nowMs());
    if (apartMs <= APART_MS) return { status: "ok", found: "File times match this machine's clock." };
    return {
      status: "warn",
      found: `File times in ${situation.home.dir} differ from this machine's clock by ${ageText(apartMs)}.`,
      remedy: "Sync both clocks with NTP, or move HOOKLINE_HOME to a local disk.",
    };
  } catch (error) {
    return { status: "skipped", found: `Cannot create a file there: ${(error as Error).message}.` };
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}
