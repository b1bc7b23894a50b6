import { appendFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import { forgetSeen, redactValue } from "../privacy/redact.ts";
import type { SdkLog } from "./control-ports.ts";

export interface OpenSdkLog {
  readonly dir: string;
  /** After so many a day's log is removed. */
  readonly days: number;
  readonly nowMs: () => number;
  readonly rotateBytes?: number;
}

const ROTATE_BYTES = 32 * 1024 * 1024;
const DAY_MS = 86_400_000;
const NAME = /^sdk-(\d{4}-\d{2}-\d{2})\.jsonl(\.\d+)?$/;
/** An image, or a file that is not to be read in a log. It is left out whole: half of it may be half a secret. */
const LONGEST_TEXT = 65_536;

/** Written at once and masked. It is never in the driver's way: what cannot be written is not. */
export function openSdkLog({ dir, days, nowMs, rotateBytes = ROTATE_BYTES }: OpenSdkLog): SdkLog {
  let today = "";

  function begin(day: string): void {
    today = day;
    makeFolder(dir);
    const oldest = toDay(nowMs() - (days - 1) * DAY_MS);
    for (const name of readdirSync(dir)) {
      const its = NAME.exec(name)?.[1];
      if (its !== undefined && its < oldest) rmSync(join(dir, name), { force: true });
    }
  }

  /** Sessions in a turn that a wholly private prompt began: only that something was said is kept of it. */
  const hidden = new Set<string>();

  return {
    write(sessionId, direction, told) {
      const { type } = (told ?? {}) as { readonly type?: unknown };
      // The pieces of a text that comes whole afterwards.
      if (type === "stream_event") return;
      if (direction === "input" && isPrivatePrompt(told)) hidden.add(sessionId);
      const data = hidden.has(sessionId) ? { type, private: true } : told;
      if (type === "result") hidden.delete(sessionId);
      try {
        const day = toDay(nowMs());
        if (day !== today) begin(day);
        const path = join(dir, `sdk-${day}.jsonl`);
        if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= rotateBytes)
          renameSync(path, `${path}.1`);
        const timestamp = new Date(nowMs()).toISOString();
        const line = { timestamp, sessionId, direction, data: redactValue(shorten(data)) };
        appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      } catch {
        // A full disk, or what is no JSON.
      } finally {
        forgetSeen();
      }
    },
    close: () => Promise.resolve(),
  };
}

function isPrivatePrompt(told: unknown): boolean {
  const { message } = (told ?? {}) as { readonly message?: { readonly content?: unknown } };
  const { content } = message ?? {};
  const parts: unknown[] = Array.isArray(content) ? content : [{ text: content }];
  const texts = parts.flatMap((part) => (part as { readonly text?: unknown }).text ?? []);
  return isWhollyPrivate(texts.filter((text) => typeof text === "string").join("\n"));
}

function shorten(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "string" && inner.length > LONGEST_TEXT
      ? `[${inner.length} characters left out]`
      : inner,
  );
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
