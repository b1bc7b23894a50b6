import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../config.ts";
import { writeAtomically } from "../files/atomic-file.ts";
import { makeFolder } from "../files/make-folder.ts";
import type { Home } from "../home.ts";

export function readOrCreateToken(home: Home): string {
  if (existsSync(home.tokenFile)) {
    const token = readFileSync(home.tokenFile, "utf8").trim();
    if (token !== "") return token;
  }
  const token = randomBytes(32).toString("base64url");
  writeAtomically(home.tokenFile, `${token}\n`);
  return token;
}

export type LogLevel = Config["logLevel"];
export type WriteLog = (level: LogLevel, message: string) => void;

const LEVELS: readonly LogLevel[] = ["error", "warn", "info", "debug"];
const ROTATE_BYTES = 5 * 1024 * 1024;

/** The daemon's own log: small, in two files, never blocking. */
export function openDaemonLog(path: string, level: LogLevel): WriteLog {
  return (messageLevel, message) => {
    if (LEVELS.indexOf(messageLevel) > LEVELS.indexOf(level)) return;
    try {
      makeFolder(dirname(path));
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_BYTES)
        renameSync(path, `${path}.1`);
      appendFileSync(path, `${new Date().toISOString()} ${messageLevel} ${message}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not stop the recorder because it cannot log that the disk is full.
    }
  };
}

export function removeFiles(...paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
}
