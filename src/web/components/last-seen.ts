import type { SessionSnapshot } from "../../serve/contract.ts";
import { createStore } from "../api/store.ts";

// When the user was last here, and which sessions they opened: what ended since is new to them. Per browser.

const LAST_SEEN_KEY = "hookline.looked";
const OPENED_KEY = "hookline.opened";
const MAX_OPENED = 300;
/** A user who was inactive for this long was away. */
const AWAY_MS = 60_000;
const WRITE_MS = 5_000;

export interface LastSeen {
  /** Everything up to this time was seen. */
  readonly untilMs: number;
  readonly opened: ReadonlyMap<string, number>;
}

const before = readLastSeen();
let hereMs = before.hereMs;
let writtenMs = 0;
export const lastSeen = createStore<LastSeen>({
  untilMs: Date.now() - hereMs > AWAY_MS ? hereMs : before.untilMs,
  opened: readOpened(),
});

/** Tracks user activity. A return after a while sets `untilMs` to the time they left. */
export function trackPresence(): () => void {
  const onAct = (): void => {
    const now = Date.now();
    if (now - hereMs > AWAY_MS) lastSeen.set({ ...lastSeen.get(), untilMs: hereMs });
    hereMs = now;
    if (now - writtenMs < WRITE_MS) return;
    write();
  };
  const kinds = ["pointermove", "pointerdown", "keydown", "wheel"] as const;
  for (const kind of kinds) addEventListener(kind, onAct, { passive: true });
  addEventListener("pagehide", write);
  return () => {
    removeEventListener("pagehide", write);
    for (const kind of kinds) removeEventListener(kind, onAct);
  };
}

export function isUnseen({ sessionId, endedAtIso, lastEventAtIso }: SessionSnapshot, at: LastSeen): boolean {
  const endMs = Date.parse(endedAtIso ?? lastEventAtIso);
  return endMs > at.untilMs && endMs > (at.opened.get(sessionId) ?? 0);
}

export function markSessionOpened(sessionId: string): void {
  const opened = new Map(lastSeen.get().opened);
  opened.delete(sessionId);
  opened.set(sessionId, Date.now());
  localStorage.setItem(OPENED_KEY, JSON.stringify([...opened].slice(-MAX_OPENED)));
  lastSeen.set({ ...lastSeen.get(), opened });
}

export function markAllSeen(): void {
  lastSeen.set({ ...lastSeen.get(), untilMs: Date.now() });
  write();
}

function write(): void {
  writtenMs = Date.now();
  localStorage.setItem(LAST_SEEN_KEY, JSON.stringify([hereMs, lastSeen.get().untilMs]));
}

/** A browser on its first visit counts as having seen everything. */
function readLastSeen(): { hereMs: number; untilMs: number } {
  const [hereMs, untilMs] = readList(LAST_SEEN_KEY).map(Number);
  return { hereMs: hereMs || Date.now(), untilMs: untilMs || Date.now() };
}

function readOpened(): Map<string, number> {
  return new Map(readList(OPENED_KEY).filter((one): one is [string, number] => Array.isArray(one)));
}

function readList(key: string): unknown[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
