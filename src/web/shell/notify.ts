import type { SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { createStore } from "../api/store.ts";
import { muted } from "../parts/marks.ts";
import { needsYou, standingOf, titleOf } from "../parts/standing.ts";
import { en } from "../words/en.ts";
import { ko } from "../words/ko.ts";
import { fill, language } from "../words/words.ts";
import { showNotice } from "./worker.ts";

const KEY = "hookline.notify";
const MOST_CHARS = 200;

/** Whether the browser may tell of sessions that need a person: what it allows, and what the person chose. */
export type NotifyState = "on" | "off" | "denied" | "unsupported";

export const notifying = createStore<NotifyState>(read());

function read(): NotifyState {
  if (!("Notification" in window)) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && localStorage.getItem(KEY) === "on" ? "on" : "off";
}

export async function setNotifying(isOn: boolean): Promise<void> {
  localStorage.setItem(KEY, isOn ? "on" : "off");
  if (isOn && "Notification" in window) await Notification.requestPermission();
  notifying.set(read());
}

/** Tells of each wait once, and only to who does not look: what already waited when the page opened is seen there. */
export function followNotices(): () => void {
  let known: ReadonlySet<string> | null = null;
  return live.subscribe(() => {
    if (live.get().connection !== "live") return;
    const waiting = new Map(
      [...live.get().sessions.values()].filter(needsYou).map((one) => [keyOf(one), one]),
    );
    const before = known;
    known = new Set(waiting.keys());
    if (before === null || notifying.get() !== "on" || document.hasFocus()) return;
    for (const [key, session] of waiting)
      if (!before.has(key) && !muted.get().has(session.sessionId)) tell(session);
  });
}

function keyOf({ sessionId, waiting, sinceIso }: SessionSnapshot): string {
  return `${sessionId} ${waiting?.requestId ?? sinceIso}`;
}

function tell(session: SessionSnapshot): void {
  const words = language.get() === "ko" ? ko : en;
  const title = fill(words.notify.title, {
    what: words.state[standingOf(session).key],
    title: titleOf(session),
  });
  const body = session.waiting?.text ?? session.why;
  // What a browser does not show is still on the page.
  void showNotice(cut(title), {
    body: cut(body),
    icon: "/icon-192.png",
    badge: "/icon-192.png",
    // Two tabs are one notice, and a later wait replaces an earlier.
    tag: session.sessionId,
    data: { path: `/s/${encodeURIComponent(session.sessionId)}` },
  }).catch(() => undefined);
}

function cut(text: string): string {
  const shown = visibleText(text);
  return shown.length > MOST_CHARS ? `${shown.slice(0, MOST_CHARS - 1).toWellFormed()}…` : shown;
}
