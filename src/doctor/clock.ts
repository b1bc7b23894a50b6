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
  if (last === undefined) return { status: "skipped", found: "No event is known." };
  const [source, iso] = last;
  const aheadMs = Date.parse(iso) - situation.nowMs();
  if (aheadMs <= AHEAD_MS) return { status: "ok", found: `The last event is of ${iso} (${source}).` };
  return {
    status: "warn",
    found: `The last event (${source}) is ${ageText(aheadMs)} in the future: ${iso}.`,
    remedy: "Set this machine's clock; if an event came from another machine, set that one's.",
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
    return { status: "skipped", found: "Only a running daemon watches the clock." };
  return checkClockNotices(daemon.status.notices);
}

/** Pure. */
export function checkClockNotices(notices: readonly string[]): Outcome {
  const last = notices.findLast((notice) => /\bclock\b/i.test(notice));
  if (last === undefined) return { status: "ok", found: "The daemon saw no jump of the clock." };
  return {
    status: "warn",
    found: `The daemon noticed: ${last.replace(/\.$/, "")}.`,
    remedy: "Events of that time may stand out of order; let the machine keep its clock by NTP.",
  };
}

const APART_MS = 2_000;

async function checkDisk(situation: CheckContext): Promise<Outcome> {
  if (!existsSync(situation.home.dir)) return { status: "skipped", found: "There is no home yet." };
  const probe = join(situation.home.dir, `.doctor-clock-${process.pid}`);
  try {
    await writeFile(probe, "", { mode: 0o600, flag: "wx" });
    const apartMs = Math.abs((await stat(probe)).mtimeMs - situation.nowMs());
    if (apartMs <= APART_MS) return { status: "ok", found: "The disk keeps the time of this machine." };
    return {
      status: "warn",
      found: `The disk of ${situation.home.dir} and this machine's clock are ${ageText(apartMs)} apart.`,
      remedy: "Set both clocks by NTP, or move HOOKLINE_HOME to a local disk: events carry the disk's time.",
    };
  } catch (error) {
    return { status: "skipped", found: `No file can be made there: ${(error as Error).message}.` };
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}
