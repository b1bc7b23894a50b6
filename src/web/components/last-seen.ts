import type { SessionSnapshot } from "../../serve/contract.ts";
import { createStore } from "../api/store.ts";

// Tracks, per browser, when the user was last active and which sessions they opened, to mark what is new.

const LAST_SEEN_KEY = "hookline.looked";
const OPENED_KEY = "hookline.opened";
const MAX_OPENED = 300;
/** A user who was inactive for this long was away. */
const AWAY_MS = 60_000;
const SAVE_MS = 5_000;

export interface LastSeen {
  /** Everything up to this time was seen. */
  readonly untilMs: number;
  readonly opened: ReadonlyMap<string, number>;
}

const saved = readLastSeen();
let lastActiveMs = saved.lastActiveMs;
let savedMs = 0;
export const lastSeen = createStore<LastSeen>({
  untilMs: Date.now() - lastActiveMs > AWAY_MS ? lastActiveMs : saved.untilMs,
  opened: readOpened(),
});

/** Tracks user activity. When the user returns, `untilMs` becomes the time they left. */
export function trackPresence(): () => void {
  const onActivity = (): void => {
    const now = Date.now();
    if (now - lastActiveMs > AWAY_MS) lastSeen.set({ ...lastSeen.get(), untilMs: lastActiveMs });
    lastActiveMs = now;
    if (now - savedMs < SAVE_MS) return;
    save();
  };
  const eventTypes = ["pointermove", "pointerdown", "keydown", "wheel"] as const;
  for (const eventType of eventTypes) addEventListener(eventType, onActivity, { passive: true });
  addEventListener("pagehide", save);
  return () => {
    removeEventListener("pagehide", save);
    for (const eventType of eventTypes) removeEventListener(eventType, onActivity);
  };
}

export function isUnseen(
  { sessionId, endedAtIso, lastEventAtIso }: SessionSnapshot,
  seen: LastSeen,
): boolean {
  const endMs = Date.parse(endedAtIso ?? lastEventAtIso);
  return endMs > seen.untilMs && endMs > (seen.opened.get(sessionId) ?? 0);
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
  save();
}

function save(): void {
  savedMs = Date.now();
  localStorage.setItem(LAST_SEEN_KEY, JSON.stringify([lastActiveMs, lastSeen.get().untilMs]));
}

/** A browser on its first visit counts as having seen everything. */
function readLastSeen(): { lastActiveMs: number; untilMs: number } {
  const [lastActiveMs, untilMs] = readList(LAST_SEEN_KEY).map(Number);
  return { lastActiveMs: lastActiveMs || Date.now(), untilMs: untilMs || Date.now() };
}

function readOpened(): Map<string, number> {
  return new Map(readList(OPENED_KEY).filter((entry): entry is [string, number] => Array.isArray(entry)));
}

function readList(key: string): unknown[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}
