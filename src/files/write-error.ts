import { dirname } from "node:path";
import { AppError } from "../app-error.ts";

const DISK_FULL_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const REASONS: Readonly<Record<string, string>> = {
  EROFS: "read-only",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
};

/** Runs a write and reports a full or read-only disk in one sentence. Other errors pass through. */
export function withWriteError<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw toWriteError(path, error);
  }
}

function toWriteError(path: string, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  const dir = dirname(path);
  if (DISK_FULL_CODES.has(code))
    return new AppError("disk_full", `the disk of ${dir} is full; nothing was changed`, { cause: error });
  const reason = REASONS[code];
  if (reason === undefined) return error;
  return new AppError("file_unwritable", `${path} cannot be written: ${reason}`, { cause: error });
}
