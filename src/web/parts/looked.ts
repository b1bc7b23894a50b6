import type { SessionSnapshot } from "../../serve/contract.ts";
import { createStore } from "../api/store.ts";

// When a person was last here, and which sessions they opened: what ended since then is new to them. In this browser.

const LOOKED = "hookline.looked";
const OPENED = "hookline.opened";
const MOST_OPENED = 300;
/** Who did nothing for so long was away. */
const AWAY_MS = 60_000;
const WRITE_MS = 5_000;

export interface Looked {
  /** Up to here everything was seen. */
  readonly untilMs: number;
  readonly opened: ReadonlyMap<string, number>;
}

const before = readLooked();
let hereMs = before.hereMs;
let writtenMs = 0;
export const looked = createStore<Looked>({
  untilMs: Date.now() - hereMs > AWAY_MS ? hereMs : before.untilMs,
  opened: readOpened(),
});

/** Notices that somebody is here. Coming back after a while sets the line to when they left. */
export function followLooks(): () => void {
  const onAct = (): void => {
    const now = Date.now();
    if (now - hereMs > AWAY_MS) looked.set({ ...looked.get(), untilMs: hereMs });
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

export function isUnseen({ sessionId, endedAtIso, lastEventAtIso }: SessionSnapshot, at: Looked): boolean {
  const endMs = Date.parse(endedAtIso ?? lastEventAtIso);
  return endMs > at.untilMs && endMs > (at.opened.get(sessionId) ?? 0);
}

export function openedSession(sessionId: string): void {
  const opened = new Map(looked.get().opened);
  opened.delete(sessionId);
  opened.set(sessionId, Date.now());
  localStorage.setItem(OPENED, JSON.stringify([...opened].slice(-MOST_OPENED)));
  looked.set({ ...looked.get(), opened });
}

export function sawAll(): void {
  looked.set({ ...looked.get(), untilMs: Date.now() });
  write();
}

function write(): void {
  writtenMs = Date.now();
  localStorage.setItem(LOOKED, JSON.stringify([hereMs, looked.get().untilMs]));
}

/** A browser that was never here has seen what there is. */
function readLooked(): { hereMs: number; untilMs: number } {
  const [hereMs, untilMs] = readList(LOOKED).map(Number);
  return { hereMs: hereMs || Date.now(), untilMs: untilMs || Date.now() };
}

function readOpened(): Map<string, number> {
  return new Map(readList(OPENED).filter((one): one is [string, number] => Array.isArray(one)));
}

function readList(key: string): unknown[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
