import { appendFileSync, readFileSync, rmSync } from "node:fs";

/** One life of a daemon, written down until it has lasted or ended in order. */
export interface Life {
  end(): void;
}

const LASTED_MS = 10_000;

/** What stays in the file are lives that ended within 10 s and not in order. `launch` counts its lines. */
export function beginLife(path: string, startedAtIso: string, lastedMs = LASTED_MS): Life {
  try {
    appendFileSync(path, `${startedAtIso}\n`, { mode: 0o600 });
  } catch {
    // A home that cannot be written is told by whoever needs it.
  }
  const forget = (): void => rmSync(path, { force: true });
  const timer = setTimeout(forget, lastedMs).unref();
  return {
    end() {
      clearTimeout(timer);
      forget();
    },
  };
}

/** When the daemons were started that died within 10 s, since the last one that lasted. */
export function shortLives(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
