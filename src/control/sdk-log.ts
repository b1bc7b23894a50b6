import { appendFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import { clearRedactionCache, redactValue } from "../privacy/redact.ts";
import type { SdkLog } from "./control-ports.ts";

export interface SdkLogOptions {
  readonly dir: string;
  /** After this many days, a log is removed. */
  readonly days: number;
  readonly nowMs: () => number;
  readonly rotateBytes?: number;
}

const ROTATE_BYTES = 32 * 1024 * 1024;
const DAY_MS = 86_400_000;
const FILE_NAME = /^sdk-(\d{4}-\d{2}-\d{2})\.jsonl(?:\.(\d+))?$/;
/** Longer texts are images or files, useless in a log. Omitted whole: half of one may be half a secret. */
const MAX_TEXT_CHARS = 65_536;

/** Writes synchronously and masked. Never blocks the driver: what cannot be written is dropped. */
export function openSdkLog({ dir, days, nowMs, rotateBytes = ROTATE_BYTES }: SdkLogOptions): SdkLog {
  let today = "";

  function startDay(day: string): void {
    today = day;
    makeFolder(dir);
    const oldest = toDay(nowMs() - (days - 1) * DAY_MS);
    for (const name of readdirSync(dir)) {
      const fileDay = FILE_NAME.exec(name)?.[1];
      if (fileDay !== undefined && fileDay < oldest) rmSync(join(dir, name), { force: true });
    }
  }

  /** Sessions in a turn with a wholly private prompt: only the fact of each message is logged. */
  const hidden = new Set<string>();

  return {
    write(sessionId, direction, message) {
      const { type } = (message ?? {}) as { readonly type?: unknown };
      // Skip deltas: their text follows in full.
      if (type === "stream_event") return;
      if (direction === "input" && isPrivatePrompt(message)) hidden.add(sessionId);
      const data = hidden.has(sessionId) ? { type, private: true } : message;
      if (type === "result") hidden.delete(sessionId);
      try {
        const day = toDay(nowMs());
        if (day !== today) startDay(day);
        const path = join(dir, `sdk-${day}.jsonl`);
        if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= rotateBytes)
          renameSync(path, nextRotatedPath(dir, day));
        const timestamp = new Date(nowMs()).toISOString();
        const line = { timestamp, sessionId, direction, data: redactValue(shorten(data)) };
        appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      } catch {
        // A full disk, or a value that is not JSON.
      } finally {
        clearRedactionCache();
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Higher numbers are newer. */
function nextRotatedPath(dir: string, day: string): string {
  const numbers = readdirSync(dir).flatMap((name) => {
    const [, fileDay, number] = FILE_NAME.exec(name) ?? [];
    return fileDay === day && number !== undefined ? Number(number) : [];
  });
  return join(dir, `sdk-${day}.jsonl.${Math.max(0, ...numbers) + 1}`);
}

function isPrivatePrompt(input: unknown): boolean {
  const { message } = (input ?? {}) as { readonly message?: { readonly content?: unknown } };
  const { content } = message ?? {};
  const parts: unknown[] = Array.isArray(content) ? content : [{ text: content }];
  const texts = parts.flatMap((part) => (part as { readonly text?: unknown }).text ?? []);
  return isWhollyPrivate(texts.filter((text) => typeof text === "string").join("\n"));
}

function shorten(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "string" && inner.length > MAX_TEXT_CHARS
      ? `[${inner.length} characters left out]`
      : inner,
  );
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
