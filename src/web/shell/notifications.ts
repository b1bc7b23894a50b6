import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { type AttentionRequest, joinRequests } from "../api/requests.ts";
import { createStore } from "../api/store.ts";
import { muted } from "../components/marks.ts";
import { titleOf } from "../components/session-status.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { en } from "../i18n/en.ts";
import { ko } from "../i18n/ko.ts";
import { fill, language } from "../i18n/strings.ts";
import { showNotification } from "./service-worker.ts";

const STORAGE_KEY = "hookline.notify";
const MAX_CHARS = 200;

/** Whether the browser may notify about sessions that need a person: its permission and the user's choice. */
export type NotificationState = "on" | "off" | "denied" | "unsupported";

export const notificationState = createStore<NotificationState>(read());

function read(): NotificationState {
  if (!("Notification" in window)) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && localStorage.getItem(STORAGE_KEY) === "on" ? "on" : "off";
}

export async function setNotifications(isOn: boolean): Promise<void> {
  localStorage.setItem(STORAGE_KEY, isOn ? "on" : "off");
  if (isOn && "Notification" in window) await Notification.requestPermission();
  notificationState.set(read());
}

/** Sends one notification per request while the page is unfocused; none for requests pending at page load. */
export function followRequestNotifications(): () => void {
  let knownKeys: ReadonlySet<string> | null = null;
  return live.subscribe(() => {
    if (live.get().connection !== "live") return;
    // Uses the masked record, because the system may store a notification's text.
    const waiting = joinRequests(live.get().sessions, []);
    const previous = knownKeys;
    knownKeys = new Set(waiting.map(keyOf));
    if (previous === null || notificationState.get() !== "on" || document.hasFocus()) return;
    for (const request of waiting)
      if (!previous.has(keyOf(request)) && !muted.get().has(request.sessionId)) notify(request);
  });
}

/** A session may fail more than once. */
function keyOf({ key, recorded, sinceIso }: AttentionRequest): string {
  return recorded === null ? `${key} ${sinceIso}` : key;
}

function notify(request: AttentionRequest): void {
  const { session, recorded } = request;
  if (session === null) return;
  const strings = language.get() === "ko" ? ko : en;
  const title = fill(strings.notify.title, {
    what: strings.state[recorded === null ? "failed" : (`waiting_${recorded.kind}` as const)],
    title: titleOf(session),
  });
  const body =
    recorded === null
      ? daemonText(session.why)
      : recorded.text || (recorded.toolName ?? daemonText(session.why));
  // A notification that fails is still visible on the page.
  void showNotification(truncate(title), {
    body: truncate(body),
    icon: "/icon-192.png",
    badge: "/icon-192.png",
    // Two tabs share one notification.
    tag: keyOf(request),
    data: { path: `/s/${encodeURIComponent(session.sessionId)}` },
  }).catch(() => undefined);
}

function truncate(text: string): string {
  const shown = visibleText(text);
  return shown.length > MAX_CHARS ? `${shown.slice(0, MAX_CHARS - 1).toWellFormed()}…` : shown;
}
