import { accessSync, constants, readFileSync } from "node:fs";
import { AppError } from "./app-error.ts";
import type { Home } from "./home.ts";
import { sqliteTrouble } from "./store/sqlite/database.ts";

/** A disk that is full or read-only is told in a sentence, whichever file met it first. */
export function homeTrouble(home: Home, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || sqliteTrouble(error) === "full") {
    return new AppError("disk_full", `the disk of ${home.dir} is full: ${message}`, { cause: error });
  }
  try {
    accessSync(home.dir, constants.W_OK);
    return error;
  } catch (denied) {
    const why = (denied as NodeJS.ErrnoException).code === "EROFS" ? "read-only" : (denied as Error).message;
    return new AppError("home_unwritable", `${home.dir} cannot be written: ${why}`, { cause: error });
  }
}

/** Who holds the lock. */
export function runningDaemon(home: Home): string {
  try {
    return `a daemon (pid ${readFileSync(home.pidFile, "utf8").trim()})`;
  } catch {
    return "another process of hookline";
  }
}
