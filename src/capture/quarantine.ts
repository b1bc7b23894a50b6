import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentHash } from "../event/ids.ts";
import { makeFolder } from "../files/make-folder.ts";
import { redactText } from "../privacy/redact.ts";

/** `torn`: a hook was cut off while it wrote. `bad`: whole, but nothing we can read. */
export type QuarantineKind = "torn" | "bad";

/** What could not be read is set aside: masked, cut, and for a week, so that a person can see what it was. */
export interface Quarantine {
  put(kind: QuarantineKind, source: string, reason: string, content: string): void;
  count(kind?: QuarantineKind): number;
  sweep(): void;
}

const KEPT_MS = 7 * 24 * 3_600_000;
const MOST_CHARS = 16 * 1024;
/** Masked before it is cut: half a token at the cut would be a token that nothing recognises. */
const LOOKED_CHARS = 4 * MOST_CHARS;

export function openQuarantine(
  dir: string,
  now: () => number = Date.now,
  /** Of what was forgotten not even this is kept. */
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
      const excerpt = redactText(content.slice(0, LOOKED_CHARS)).slice(0, MOST_CHARS);
      if (!mayKeep(excerpt)) return;
      makeFolder(dir);
      const record = { at: new Date(now()).toISOString(), source, reason, chars: content.length, excerpt };
      // Named by content: what is found again after a crash is one file.
      const name = `${kind}-${contentHash(`${source}\n${content}`).slice(0, 16)}.json`;
      writeFileSync(join(dir, name), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    },
    count: (kind) => names().filter((name) => kind === undefined || name.startsWith(`${kind}-`)).length,
    sweep() {
      for (const name of names()) {
        const found = statSync(join(dir, name), { throwIfNoEntry: false });
        if (found !== undefined && now() - found.mtimeMs > KEPT_MS) rmSync(join(dir, name), { force: true });
      }
    },
  };
}
