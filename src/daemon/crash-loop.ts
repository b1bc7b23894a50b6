import { appendFileSync, readFileSync, rmSync } from "node:fs";

/** One daemon start, recorded until the daemon has lasted or stopped cleanly. */
export interface RecordedStart {
  end(): void;
}

const STABLE_AFTER_MS = 10_000;

/** The file retains starts that crashed within 10 s. `launch` counts its lines. */
export function recordStart(
  path: string,
  startedAtIso: string,
  stableAfterMs = STABLE_AFTER_MS,
): RecordedStart {
  try {
    appendFileSync(path, `${startedAtIso}\n`, { mode: 0o600 });
  } catch {
    // An unwritable home is reported where it matters.
  }
  const forget = (): void => rmSync(path, { force: true });
  const timer = setTimeout(forget, stableAfterMs).unref();
  return {
    end() {
      clearTimeout(timer);
      forget();
    },
  };
}

/** Start times of the daemons that died within 10 s, since the last one that lasted. */
export function readCrashedStarts(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
