import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../app-error.ts";
import { openQuarantine } from "../capture/quarantine.ts";
import { probeHomeWrite } from "../daemon/home-errors.ts";
import type { Home } from "../home.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { networkDisk } from "./network-disk.ts";
import { countText, listNames } from "./wording.ts";

const PAGES_MS = 120_000;

export const databaseChecks: readonly Check[] = [
  { code: "database_version", run: checkVersion },
  { code: "database_readable", run: checkReadable },
  { code: "database_pages", run: checkPages, limitMs: PAGES_MS + 5_000 },
  { code: "database_refused", run: checkRefused },
  { code: "quarantine_empty", run: checkQuarantine },
  { code: "log_there", run: checkLogExists },
  { code: "log_sound", run: checkLogSound, limitMs: PAGES_MS + 5_000 },
  { code: "disk_local", run: checkDisk },
];

type Rows = readonly Record<string, unknown>[];

/** Undefined if there is no database yet. */
async function readRows(home: Home, sql: string): Promise<Rows | undefined> {
  if (!existsSync(home.db)) return undefined;
  const { openDatabase } = await import("../store/sqlite/database.ts");
  const db = openDatabase(home.db, { readOnly: true });
  try {
    return db.raw.prepare(sql).all();
  } finally {
    db.close();
  }
}

const none: Outcome = { status: "skipped", found: "There is no database yet: the daemon makes it." };

async function checkVersion({ home }: CheckContext): Promise<Outcome> {
  try {
    const rows = await readRows(home, "PRAGMA user_version");
    return rows === undefined
      ? none
      : { status: "ok", found: `The database has schema ${rows[0]?.["user_version"]}.` };
  } catch (error) {
    if (!isNewer(error)) return { status: "skipped", found: "The database cannot be read." };
    return {
      status: "fail",
      found: `${(error as Error).message}.`,
      remedy: "Update hookline; until then hooks go on filling the spool.",
    };
  }
}

async function checkReadable({ home }: CheckContext): Promise<Outcome> {
  try {
    const rows = await readRows(home, "SELECT count(*) AS n FROM sdk_sessions");
    return rows === undefined
      ? none
      : { status: "ok", found: `The database holds ${countText(Number(rows[0]!["n"]), "session")}.` };
  } catch (error) {
    if (isNewer(error)) return { status: "skipped", found: "A newer hookline wrote the database." };
    const { sqliteErrorKind } = await import("../store/sqlite/database.ts");
    const found = `${home.db} cannot be read: ${(error as Error).message}.`;
    if (sqliteErrorKind(error) === "busy")
      return { status: "warn", found, remedy: "Close the program that holds it locked." };
    if (probeHomeWrite(home) !== null)
      return { status: "fail", found, remedy: "First make the folder writable, with room on its disk." };
    return {
      status: "fail",
      found,
      remedy: "Run `hookline rebuild`, which makes it again from the log.",
    };
  }
}

const SMALL_BYTES = 200 * 1024 * 1024;
/** A database this small is read faster than another process starts. */
const TINY_BYTES = 10 * 1024 * 1024;

async function checkPages({ home, env, fixing }: CheckContext): Promise<Outcome> {
  const { quickCheck, quickCheckInChild } = await import("./quick-check.ts");
  const found = statSync(home.db, { throwIfNoEntry: false });
  if (found === undefined) return none;
  if (found.size >= SMALL_BYTES && !fixing)
    return {
      status: "skipped",
      found: "The database is large: `hookline doctor --fix` looks at every page.",
    };
  const result =
    found.size < TINY_BYTES ? quickCheck(home.db) : await quickCheckInChild(home.db, env, PAGES_MS);
  switch (result.type) {
    case "sound":
      return { status: "ok", found: "Every page of the database is sound." };
    case "unfinished":
      return { status: "skipped", found: `Looking at every page came to no end: ${result.why}.` };
    case "damaged":
      return {
        status: "fail",
        found: `${home.db} is damaged: ${result.why}.`,
        remedy: "Run `hookline rebuild`, which makes it again from the log.",
      };
    default:
      return result satisfies never;
  }
}

async function checkRefused(situation: CheckContext): Promise<Outcome> {
  const rows = await readRows(situation.home, "SELECT count(*) AS n FROM refused_events").catch(() => null);
  if (rows === undefined) return none;
  if (rows === null) return { status: "skipped", found: "The database cannot be read." };
  const refused = Number(rows[0]!["n"]);
  if (refused === 0) return { status: "ok", found: "The database refused nothing." };
  return {
    status: "warn",
    found: `The database refused ${countText(refused, "event")}; the log has them.`,
    remedy: "Read the reasons in the table refused_events; `hookline rebuild` tries again.",
  };
}

function checkQuarantine({ home }: CheckContext): Outcome {
  const quarantine = openQuarantine(home.quarantine);
  const [torn, all] = [quarantine.count("torn"), quarantine.count()];
  if (all === 0) return { status: "ok", found: "Nothing is in quarantine." };
  return {
    status: "warn",
    found: `${countText(all, "input")} could not be read, ${torn} of them torn: ${home.quarantine}.`,
    remedy: "Look at the excerpts there; each goes by itself after 7 days.",
  };
}

async function checkLogExists(situation: CheckContext): Promise<Outcome> {
  const config = situation.config();
  if (config === null) return { status: "skipped", found: "The configuration is not valid." };
  const { name, ...log } = situation.openLog(config);
  const { parts, missing } = await log.inspect();
  const rows = await readRows(situation.home, "SELECT 1 FROM facts LIMIT 1").catch(() => undefined);
  if (parts > 0 && missing.length === 0)
    return { status: "ok", found: `The log has ${countText(parts, "segment")}: ${name}.` };
  if (parts === 0 && (rows === undefined || rows.length === 0))
    return { status: "skipped", found: "Nothing was recorded yet." };
  return {
    status: "fail",
    found:
      parts === 0
        ? `The database has events, but the log ${name} is gone.`
        : `Segments of the log are missing in ${dirname(name)}: ${listNames(missing)}.`,
    remedy: "Run `hookline down` and `hookline up`: the daemon writes what is lost again from the database.",
  };
}

async function checkLogSound(situation: CheckContext): Promise<Outcome> {
  const config = situation.config();
  if (config === null) return { status: "skipped", found: "The configuration is not valid." };
  const { damaged, quarantined } = await situation.openLog(config).findDamage();
  if (damaged.length > 0)
    return {
      status: "fail",
      found: `Segments of the log are damaged: ${listNames(damaged)}.`,
      remedy: "Run `hookline rebuild`, which writes again what the database knows of them.",
    };
  if (quarantined.length === 0)
    return { status: "ok", found: "No compressed segment of the log is damaged." };
  return {
    status: "warn",
    found: `A segment of the log was damaged and could not be restored whole: ${listNames(quarantined)}.`,
    remedy: "Restore it from a backup if you have one; the damaged file goes after 7 days.",
  };
}

async function checkDisk(situation: CheckContext): Promise<Outcome> {
  if (situation.platform !== "linux")
    return { status: "skipped", found: "Only Linux tells the kind of a disk by number." };
  for (const folder of situation.dataFolders()) {
    const name = networkDisk((await situation.disk(folder)).type);
    if (name === undefined) continue;
    return {
      status: "warn",
      found: `${folder} is on a network disk (${name}), on which SQLite's write-ahead log is not safe.`,
      remedy: "Set HOOKLINE_HOME to a folder on a local disk and run `hookline install` again.",
    };
  }
  return { status: "ok", found: "Log and database are on a local disk." };
}

function isNewer(error: unknown): boolean {
  return error instanceof AppError && error.code === "store_newer";
}
