import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentHash } from "../event/ids.ts";
import { makeFolder } from "../files/make-folder.ts";
import { redactText } from "../privacy/redact.ts";

/** `torn`: a hook was interrupted while writing. `bad`: complete, but unreadable. */
export type QuarantineKind = "torn" | "bad";

/** Stores unreadable input for a week, masked and truncated, so that a person can inspect it. */
export interface Quarantine {
  put(kind: QuarantineKind, source: string, reason: string, content: string): void;
  count(kind?: QuarantineKind): number;
  sweep(): void;
}

const RETENTION_MS = 7 * 24 * 3_600_000;
const MAX_EXCERPT_CHARS = 16 * 1024;
/** Scanned beyond the excerpt, because a token split at the cut would not be recognised. */
const MAX_SCANNED_CHARS = 4 * MAX_EXCERPT_CHARS;

export function openQuarantine(
  dir: string,
  now: () => number = Date.now,
  /** Forgotten content is not even quarantined. */
  mayKeep: (excerpt: string) => boolean = () => true,
): Quarantine {
  const names = (): string[] => {
    try {
      return readdirSync(dir);
    } catch {
      return [];
    }
  };
  return {
    put(kind, source, reason, content) {
      const excerpt = redactText(content.slice(0, MAX_SCANNED_CHARS)).slice(0, MAX_EXCERPT_CHARS);
      if (!mayKeep(excerpt)) return;
      makeFolder(dir);
      const record = { at: new Date(now()).toISOString(), source, reason, chars: content.length, excerpt };
      // Named by content, so that input found again after a crash is one file.
      const name = `${kind}-${contentHash(`${source}\n${content}`).slice(0, 16)}.json`;
      writeFileSync(join(dir, name), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    },
    count: (kind) => names().filter((name) => kind === undefined || name.startsWith(`${kind}-`)).length,
    sweep() {
      for (const name of names()) {
        const stats = statSync(join(dir, name), { throwIfNoEntry: false });
        if (stats !== undefined && now() - stats.mtimeMs > RETENTION_MS)
          rmSync(join(dir, name), { force: true });
      }
    },
  };
}
