import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { joinRequests, type NeedsYou } from "../api/requests.ts";
import { createStore } from "../api/store.ts";
import { muted } from "../parts/marks.ts";
import { titleOf } from "../parts/standing.ts";
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

/** One notification for each request, only while nobody looks. What waited when the page was opened is seen there. */
export function followNotices(): () => void {
  let known: ReadonlySet<string> | null = null;
  return live.subscribe(() => {
    if (live.get().connection !== "live") return;
    // As recorded: what a notification says may be stored by the system.
    const waiting = joinRequests(live.get().sessions, []);
    const before = known;
    known = new Set(waiting.map(keyOf));
    if (before === null || notifying.get() !== "on" || document.hasFocus()) return;
    for (const need of waiting) if (!before.has(keyOf(need)) && !muted.get().has(need.sessionId)) tell(need);
  });
}

/** A session may fail more than once. */
function keyOf({ key, recorded, sinceIso }: NeedsYou): string {
  return recorded === null ? `${key} ${sinceIso}` : key;
}

function tell(need: NeedsYou): void {
  const { session, recorded } = need;
  if (session === null) return;
  const words = language.get() === "ko" ? ko : en;
  const title = fill(words.notify.title, {
    what: words.state[recorded === null ? "failed" : (`waiting_${recorded.kind}` as const)],
    title: titleOf(session),
  });
  const body = recorded === null ? session.why : recorded.text || (recorded.toolName ?? session.why);
  // What a browser does not show is still on the page.
  void showNotice(cut(title), {
    body: cut(body),
    icon: "/icon-192.png",
    badge: "/icon-192.png",
    // Two tabs are one notification.
    tag: keyOf(need),
    data: { path: `/s/${encodeURIComponent(session.sessionId)}` },
  }).catch(() => undefined);
}

function cut(text: string): string {
  const shown = visibleText(text);
  return shown.length > MOST_CHARS ? `${shown.slice(0, MOST_CHARS - 1).toWellFormed()}…` : shown;
}
