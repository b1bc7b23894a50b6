import { accessSync, constants, lstatSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { storeErrorKind } from "../store/store-error.ts";

/** Reports a full or read-only disk in one sentence, whichever file hit it first. */
export function toHomeError(home: Home, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { code, message, errcode, syscall, path } = error as NodeJS.ErrnoException & { errcode?: number };
  const why = whyUnwritable(home.dir) ?? (code === "EROFS" ? "read-only" : null);
  if (why !== null)
    return new AppError("home_unwritable", `${home.dir} cannot be written: ${why}`, { cause: error });
  if (
    DISK_FULL_CODES.has(code ?? "") ||
    DISK_FULL_SQLITE_CODES.has((errcode ?? 0) & 0xff) ||
    storeErrorKind(error) === "full"
  )
    return new AppError("disk_full", `the disk of ${home.dir} is full: ${message}`, { cause: error });
  if (syscall === "mkdir")
    return new AppError("home_unwritable", `${path ?? home.dir} cannot be made: ${message}`, {
      cause: error,
    });
  return error;
}

const DISK_FULL_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
/** SQLITE_IOERR and SQLITE_FULL, of the daemon's lock: a SQLite file of its own (docs/decisions/0009). */
const DISK_FULL_SQLITE_CODES: ReadonlySet<number> = new Set([10, 13]);

/** Checks the folder, or its nearest existing ancestor; null if it is writable. */
function whyUnwritable(dir: string): string | null {
  const problem = describeNonFolder(dir);
  if (problem !== null) return `${problem}, not a folder; set HOOKLINE_HOME to a folder of yours`;
  try {
    accessSync(dir, constants.W_OK);
    return PSEUDO_FILE_SYSTEMS.has(statfsSync(dir).type) ? `no folder can be made in ${dir}` : null;
  } catch (accessError) {
    const { code, message } = accessError as NodeJS.ErrnoException;
    if ((code === "ENOENT" || code === "ENOTDIR") && dirname(dir) !== dir) return whyUnwritable(dirname(dir));
    return code === "EROFS" ? "read-only" : message;
  }
}

/** /proc and /sys: root may write there, but no files can be created. */
const PSEUDO_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

/** What exists instead of a folder. Null: a folder, nothing yet, or unknown. */
function describeNonFolder(path: string): string | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    const target = stats.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : stats;
    if (target === undefined) return `${path} is a link that leads nowhere`;
    if (target.isDirectory()) return null;
    if (target.isFile()) return `${path} is a file`;
    if (target.isSocket()) return `${path} is a socket`;
    return target.isFIFO() ? `${path} is a pipe` : `${path} is a device`;
  } catch {
    return null;
  }
}

/** Checks that the home, or the folder it would be created in, is writable. Writes nothing. */
export function checkHomeWritable(home: Home): AppError | null {
  const why = whyUnwritable(home.dir);
  return why === null ? null : new AppError("home_unwritable", `${home.dir} cannot be written: ${why}`);
}

/** Tries to write in the home, for a daemon that could not even write why it exited. Null if that works. */
export function probeHomeWrite(home: Home): AppError | null {
  const path = join(home.dir, `.probe-${process.pid}`);
  try {
    writeFileSync(path, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flush: true });
    return null;
  } catch (error) {
    const homeError = toHomeError(home, error);
    return homeError instanceof AppError ? homeError : null;
  } finally {
    rmSync(path, { force: true });
  }
}

/** Called before work that would wait indefinitely for disk space, so that the caller gets an error. */
export function refuseFullDisk(home: Home): void {
  const homeError = probeHomeWrite(home);
  if (homeError !== null) throw homeError;
}

const PROBE_BYTES = 64 * 1024;

/**
 * Called before anything is created: the home must be a folder, and anyone who can write in it could plant a
 * token, a configuration or rules.
 */
export function refuseSharedHome(home: Home): void {
  const { dir } = home;
  const homeError = checkHomeWritable(home);
  if (homeError !== null) throw homeError;
  const stats = statSync(dir, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0 && stats.uid !== uid)
    throw new AppError(
      "home_shared",
      `${dir} belongs to another user: set HOOKLINE_HOME to a folder of yours`,
    );
  if ((stats.mode & 0o022) !== 0)
    throw new AppError(
      "home_shared",
      `${dir} can be written by other users: look for files in it that are not yours, then run \`chmod go-w ${dir}\``,
    );
}
