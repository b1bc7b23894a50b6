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

const PAGES_TIMEOUT_MS = 120_000;

export const databaseChecks: readonly Check[] = [
  { code: "database_version", run: checkVersion },
  { code: "database_readable", run: checkReadable },
  { code: "database_pages", run: checkPages, limitMs: PAGES_TIMEOUT_MS + 5_000 },
  { code: "database_refused", run: checkRefused },
  { code: "quarantine_empty", run: checkQuarantine },
  { code: "log_there", run: checkLogExists },
  { code: "log_sound", run: checkLogSound, limitMs: PAGES_TIMEOUT_MS + 5_000 },
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

const noDatabase: Outcome = { status: "skipped", found: "No database yet; the daemon creates it." };

async function checkVersion({ home }: CheckContext): Promise<Outcome> {
  try {
    const rows = await readRows(home, "PRAGMA user_version");
    return rows === undefined
      ? noDatabase
      : { status: "ok", found: `The database has schema ${rows[0]?.["user_version"]}.` };
  } catch (error) {
    if (!isNewer(error)) return { status: "skipped", found: "The database cannot be read." };
    return {
      status: "fail",
      found: `${(error as Error).message}.`,
      remedy: "Update hookline. Hooks keep recording to the spool until then.",
    };
  }
}

async function checkReadable({ home }: CheckContext): Promise<Outcome> {
  try {
    const rows = await readRows(home, "SELECT count(*) AS n FROM sdk_sessions");
    return rows === undefined
      ? noDatabase
      : { status: "ok", found: `The database holds ${countText(Number(rows[0]!["n"]), "session")}.` };
  } catch (error) {
    if (isNewer(error)) return { status: "skipped", found: "A newer hookline wrote the database." };
    const { sqliteErrorKind } = await import("../store/sqlite/database.ts");
    const found = `${home.db} cannot be read: ${(error as Error).message}.`;
    if (sqliteErrorKind(error) === "busy")
      return { status: "warn", found, remedy: "Close the program that locks it." };
    if (probeHomeWrite(home) !== null)
      return { status: "fail", found, remedy: "Make the folder writable and free some disk space." };
    return {
      status: "fail",
      found,
      remedy: "Run `hookline rebuild` to rebuild it from the log.",
    };
  }
}

/** A larger database is checked only with `--fix`. */
const MAX_AUTOMATIC_BYTES = 200 * 1024 * 1024;
/** A database this small is read faster than another process starts. */
const MAX_IN_PROCESS_BYTES = 10 * 1024 * 1024;

async function checkPages({ home, env, fixing }: CheckContext): Promise<Outcome> {
  const { quickCheck, quickCheckInChild } = await import("./quick-check.ts");
  const found = statSync(home.db, { throwIfNoEntry: false });
  if (found === undefined) return noDatabase;
  if (found.size >= MAX_AUTOMATIC_BYTES && !fixing)
    return {
      status: "skipped",
      found: "The database is large; run `hookline doctor --fix` to check every page.",
    };
  const result =
    found.size < MAX_IN_PROCESS_BYTES
      ? quickCheck(home.db)
      : await quickCheckInChild(home.db, env, PAGES_TIMEOUT_MS);
  switch (result.type) {
    case "sound":
      return { status: "ok", found: "The database passes its integrity check." };
    case "unfinished":
      return { status: "skipped", found: `The integrity check did not finish: ${result.why}.` };
    case "damaged":
      return {
        status: "fail",
        found: `${home.db} is damaged: ${result.why}.`,
        remedy: "Run `hookline rebuild` to rebuild it from the log.",
      };
    default:
      return result satisfies never;
  }
}

async function checkRefused(context: CheckContext): Promise<Outcome> {
  const rows = await readRows(context.home, "SELECT count(*) AS n FROM refused_events").catch(() => null);
  if (rows === undefined) return noDatabase;
  if (rows === null) return { status: "skipped", found: "The database cannot be read." };
  const refused = Number(rows[0]!["n"]);
  if (refused === 0) return { status: "ok", found: "The database rejected no events." };
  return {
    status: "warn",
    found: `The database rejected ${countText(refused, "event")}; the log still has them.`,
    remedy: "See the table refused_events for the reasons; `hookline rebuild` retries them.",
  };
}

function checkQuarantine({ home }: CheckContext): Outcome {
  const quarantine = openQuarantine(home.quarantine);
  const [torn, all] = [quarantine.count("torn"), quarantine.count()];
  if (all === 0) return { status: "ok", found: "The quarantine is empty." };
  return {
    status: "warn",
    found: `${countText(all, "input")} could not be read, ${torn} of them torn: ${home.quarantine}.`,
    remedy: "Review the excerpts there; each is deleted after 7 days.",
  };
}

async function checkLogExists(context: CheckContext): Promise<Outcome> {
  const config = context.config();
  if (config === null) return { status: "skipped", found: "The configuration is not valid." };
  const { name, ...log } = context.openLog(config);
  const { parts, missing } = await log.inspect();
  const rows = await readRows(context.home, "SELECT 1 FROM facts LIMIT 1").catch(() => undefined);
  if (parts > 0 && missing.length === 0)
    return { status: "ok", found: `The log has ${countText(parts, "segment")}: ${name}.` };
  if (parts === 0 && (rows === undefined || rows.length === 0))
    return { status: "skipped", found: "Nothing recorded yet." };
  return {
    status: "fail",
    found:
      parts === 0
        ? `The database has events, but the log ${name} is missing.`
        : `Segments of the log are missing in ${dirname(name)}: ${listNames(missing)}.`,
    remedy: "Run `hookline down` and `hookline up`: the daemon restores the missing part from the database.",
  };
}

async function checkLogSound(context: CheckContext): Promise<Outcome> {
  const config = context.config();
  if (config === null) return { status: "skipped", found: "The configuration is not valid." };
  const { damaged, quarantined } = await context.openLog(config).findDamage();
  if (damaged.length > 0)
    return {
      status: "fail",
      found: `Segments of the log are damaged: ${listNames(damaged)}.`,
      remedy: "Run `hookline rebuild` to restore them from the database.",
    };
  if (quarantined.length === 0)
    return { status: "ok", found: "No compressed segment of the log is damaged." };
  return {
    status: "warn",
    found: `A segment of the log was damaged and could not be fully restored: ${listNames(quarantined)}.`,
    remedy: "Restore it from a backup if you have one. The damaged file is deleted after 7 days.",
  };
}

async function checkDisk(context: CheckContext): Promise<Outcome> {
  if (context.platform !== "linux")
    return { status: "skipped", found: "The disk type can only be checked on Linux." };
  for (const folder of context.dataFolders()) {
    const name = networkDisk((await context.disk(folder)).type);
    if (name === undefined) continue;
    return {
      status: "warn",
      found: `${folder} is on a network disk (${name}), where SQLite's write-ahead log is not safe.`,
      remedy: "Set HOOKLINE_HOME to a folder on a local disk and run `hookline install` again.",
    };
  }
  return { status: "ok", found: "Log and database are on a local disk." };
}

function isNewer(error: unknown): boolean {
  return error instanceof AppError && error.code === "store_newer";
}
