import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentHash } from "../event/ids.ts";
import { redactText } from "../privacy/redact.ts";

/** What could not be read is set aside: masked, cut, and for a week, so that a person can see what it was. */
export interface Quarantine {
  put(source: string, reason: string, content: string): void;
  count(): number;
  sweep(): void;
}

const KEPT_MS = 7 * 24 * 3_600_000;
const MOST_CHARS = 16 * 1024;

export function openQuarantine(dir: string, now: () => number = Date.now): Quarantine {
  const names = (): string[] => {
    try {
      return readdirSync(dir);
    } catch {
      return [];
    }
  };
  return {
    put(source, reason, content) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const excerpt = redactText(content.slice(0, MOST_CHARS));
      const record = { at: new Date(now()).toISOString(), source, reason, chars: content.length, excerpt };
      // Named by content: what is found again after a crash is one file.
      const name = `${contentHash(`${source}\n${content}`).slice(0, 16)}.json`;
      writeFileSync(join(dir, name), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    },
    count: () => names().length,
    sweep() {
      for (const name of names()) {
        const found = statSync(join(dir, name), { throwIfNoEntry: false });
        if (found !== undefined && now() - found.mtimeMs > KEPT_MS) rmSync(join(dir, name), { force: true });
      }
    },
  };
}
