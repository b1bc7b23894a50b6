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

const MAX_AHEAD_MS = 2 * 60_000;

async function checkEvents(context: CheckContext): Promise<Outcome> {
  const last = Object.entries(await lastEvents(context)).sort((a, b) => b[1].localeCompare(a[1]))[0];
  if (last === undefined) return { status: "skipped", found: "No events yet." };
  const [source, iso] = last;
  const aheadMs = Date.parse(iso) - context.nowMs();
  if (aheadMs <= MAX_AHEAD_MS) return { status: "ok", found: `Last event at ${iso} (${source}).` };
  return {
    status: "warn",
    found: `The last event (${source}) is ${ageText(aheadMs)} in the future: ${iso}.`,
    remedy: "Correct the clock of this machine, or of the machine the event came from.",
  };
}

async function lastEvents(context: CheckContext): Promise<Readonly<Record<string, string>>> {
  const daemon = await context.daemon();
  if (daemon.type === "answers" && daemon.status !== null) return daemon.status.lastEventPerSource;
  if (!existsSync(context.home.db)) return {};
  try {
    const store = await context.openStore();
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

async function checkJumps(context: CheckContext): Promise<Outcome> {
  const daemon = await context.daemon();
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

const MAX_SKEW_MS = 2_000;

async function checkDisk(context: CheckContext): Promise<Outcome> {
  if (!existsSync(context.home.dir))
    return { status: "skipped", found: "The home folder does not exist yet." };
  const probe = join(context.home.dir, `.doctor-clock-${process.pid}`);
  try {
    await writeFile(probe, "", { mode: 0o600, flag: "wx" });
    const skewMs = Math.abs((await stat(probe)).mtimeMs - context.nowMs());
    if (skewMs <= MAX_SKEW_MS) return { status: "ok", found: "File times match this machine's clock." };
    return {
      status: "warn",
      found: `File times in ${context.home.dir} differ from this machine's clock by ${ageText(skewMs)}.`,
      remedy: "Sync both clocks with NTP, or move HOOKLINE_HOME to a local disk.",
    };
  } catch (error) {
    return { status: "skipped", found: `Cannot create a file there: ${(error as Error).message}.` };
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}
