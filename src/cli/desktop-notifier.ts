import { findProgram } from "../files/find-program.ts";
import {
  type DesktopNotification,
  type Program,
  toNotifySend,
  toOsascript,
} from "../shown/desktop-notification.ts";
import { truncateToWidth } from "./display-width.ts";
import { requestLine } from "./request-text.ts";
import { activityText, projectLabel } from "./session-activity.ts";
import { stateBadge } from "./state-badge.ts";
import type { Wait } from "./wait-notices.ts";

export type DesktopNotifier =
  | { readonly type: "ready"; toProgram(wait: Wait, now: number): Program }
  | { readonly type: "missing"; readonly how: string };

/** The program that shows notifications here. */
export function findDesktopNotifier(platform: NodeJS.Platform, path: string): DesktopNotifier {
  if (platform === "darwin")
    return { type: "ready", toProgram: (wait, now) => toOsascript("osascript", noticeTexts(wait, now)) };
  const file = findProgram(["notify-send"], path);
  if (file !== null)
    return { type: "ready", toProgram: (wait, now) => toNotifySend(file, noticeTexts(wait, now)) };
  return {
    type: "missing",
    how: "notify-send is not installed; run `apt install libnotify-bin` or `dnf install libnotify`, or use --command.",
  };
}

/** The title starts with our name, so that no agent text can be parsed as an option. */
function noticeTexts({ session, request }: Wait, now: number): DesktopNotification {
  const title = `Hookline: ${request?.kind ?? stateBadge(session).label} in ${projectLabel(session)}`;
  const body = request === null ? activityText(session, now) : requestLine(request);
  return { title: truncateToWidth(title, 80), body: truncateToWidth(body, 300) };
}
