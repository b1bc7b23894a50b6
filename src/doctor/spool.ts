import { existsSync, statSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listSpool } from "../spool/read-spool.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { findOpenToOthers, listEntries, restrictToOwner } from "./file-modes.ts";
import { ageText, countText, octalMode } from "./wording.ts";

export const spoolChecks: readonly Check[] = [
  { code: "spool_there", run: checkFolder },
  { code: "spool_owner", run: checkOwner },
  { code: "spool_modes", run: checkModes },
  { code: "spool_writable", run: checkWritable },
  { code: "spool_waiting", run: checkWaiting },
  { code: "disk_space", run: checkSpace },
];

const noSpool: Outcome = { status: "skipped", found: "There is no spool folder." };

function checkFolder({ home }: CheckContext): Outcome {
  const found = statSync(home.spool, { throwIfNoEntry: false });
  if (found?.isDirectory()) return { status: "ok", found: `Hooks write to ${home.spool}.` };
  return {
    status: "fail",
    found:
      found === undefined
        ? `Recording is off: there is no folder ${home.spool}.`
        : `Recording is off: ${home.spool} is not a folder.`,
    remedy:
      found === undefined
        ? "Run `hookline up` to create it and record again."
        : "Move it elsewhere, then run `hookline up`.",
  };
}

async function checkOwner(context: CheckContext): Promise<Outcome> {
  const { agent, home } = context;
  const uid = context.uid();
  if (!isFolder(home.spool) || uid === undefined) return noSpool;
  const foreign = (await listEntries(home.spool)).filter(({ info }) => info.uid !== uid);
  if (foreign.length === 0) return { status: "ok", found: "The spool and its files are yours." };
  return {
    status: "fail",
    found: `${foreign[0]!.path} belongs to user ${foreign[0]!.info.uid}, you are ${uid} (${foreign.length} total).`,
    remedy: `Run \`sudo chown -R ${uid} '${home.dir}'\`, and run hookline and ${agent.label} as the same user.`,
  };
}

async function checkModes({ home }: CheckContext): Promise<Outcome> {
  if (!isFolder(home.spool)) return noSpool;
  const open = findOpenToOthers(await listEntries(home.spool));
  if (open.length === 0) return { status: "ok", found: "Only you can read the spool." };
  return {
    status: "warn",
    found: `Other users can read raw payloads: ${open[0]!.path} has mode ${octalMode(open[0]!.info.mode)}${open.length > 1 ? `, and ${open.length - 1} more` : ""}.`,
    remedy: "Run `hookline doctor --fix`: folders become 0700, files 0600.",
    fix: () => restrictToOwner(open),
  };
}

/** Like a hook; a name that starts with a dot is not read as an event. */
async function checkWritable({ home }: CheckContext): Promise<Outcome> {
  if (!isFolder(home.spool)) return noSpool;
  const probe = join(home.spool, `.doctor-${process.pid}`);
  try {
    await writeFile(probe, "probe\n", { mode: 0o600, flag: "wx" });
    return { status: "ok", found: "The spool is writable." };
  } catch (error) {
    return {
      status: "fail",
      found: `Nothing can be recorded: ${(error as Error).message}.`,
      remedy: `Make sure that ${home.spool} is yours, writable, and on a disk with free space.`,
    };
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

const MAX_WAIT_WITH_DAEMON_MS = 60_000;
const MAX_WAIT_WITHOUT_DAEMON_MS = 24 * 3_600_000;

async function checkWaiting(context: CheckContext): Promise<Outcome> {
  const files = listSpool(context.home.spool);
  const oldest = files[0];
  if (oldest === undefined) return { status: "ok", found: "The spool is empty." };
  const ageMs = Math.max(0, context.nowMs() - Number(oldest.timeNs / 1_000_000n));
  const isUp = (await context.daemon()).type === "answers";
  const found = `${countText(files.length, "file")} in ${context.home.spool}, the oldest (${oldest.name}) from ${ageText(ageMs)} ago`;
  if (ageMs <= (isUp ? MAX_WAIT_WITH_DAEMON_MS : MAX_WAIT_WITHOUT_DAEMON_MS))
    return { status: "ok", found: `${found}.` };
  return {
    status: "warn",
    found: isUp ? `${found}, although the daemon is running.` : `${found}, and the daemon is not running.`,
    remedy: isUp ? `Check \`hookline status\` and ${context.home.daemonLog}.` : "Run `hookline up`.",
  };
}

const LOW_SPACE_BYTES = 50 * 1024 * 1024;
const DISK_FULL_BYTES = 5 * 1024 * 1024;

async function checkSpace(context: CheckContext): Promise<Outcome> {
  const folders = context.dataFolders();
  if (folders.length === 0) return { status: "skipped", found: "The home folder does not exist yet." };
  const disks = await Promise.all(
    folders.map(async (folder) => ({ folder, freeBytes: (await context.disk(folder)).freeBytes })),
  );
  const { folder, freeBytes } = disks.reduce((least, disk) =>
    disk.freeBytes < least.freeBytes ? disk : least,
  );
  const found = `${Math.floor(freeBytes / (1024 * 1024))} MB free on the disk of ${folder}.`;
  if (freeBytes >= LOW_SPACE_BYTES) return { status: "ok", found };
  return {
    status: freeBytes < DISK_FULL_BYTES ? "fail" : "warn",
    found,
    remedy: "Free some space; hooks cannot record on a full disk.",
  };
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
