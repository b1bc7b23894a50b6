import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { truncateToWidth } from "./display-width.ts";
import { requestLine } from "./request-text.ts";
import { activityText, projectLabel } from "./session-activity.ts";
import { stateBadge } from "./state-badge.ts";
import type { Wait } from "./wait-notices.ts";

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

export type DesktopNotifier =
  | { readonly type: "ready"; toProgram(wait: Wait, now: number): Program }
  | { readonly type: "missing"; readonly how: string };

/** The program that shows notifications here. Texts are separate arguments, never part of a script. */
export function findDesktopNotifier(platform: NodeJS.Platform, path: string): DesktopNotifier {
  if (platform === "darwin") return { type: "ready", toProgram: toOsascript };
  const file = findProgram("notify-send", path);
  if (file !== null) return { type: "ready", toProgram: (wait, now) => toNotifySend(file, wait, now) };
  return {
    type: "missing",
    how: "notify-send is not installed; run `apt install libnotify-bin` or `dnf install libnotify`, or use --command.",
  };
}

function toNotifySend(file: string, wait: Wait, now: number): Program {
  const { title, body } = noticeTexts(wait, now);
  // Notification servers parse the body as markup, but not the title.
  const escaped = body.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]!);
  return { file, args: ["--app-name=Hookline", "--", title, escaped] };
}

function toOsascript(wait: Wait, now: number): Program {
  const { title, body } = noticeTexts(wait, now);
  const script = [
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
  ];
  return { file: "osascript", args: [...script.flatMap((line) => ["-e", line]), title, body] };
}

/** The title starts with our name, so that no agent text can be parsed as an option. */
function noticeTexts({ session, request }: Wait, now: number): { title: string; body: string } {
  const title = `Hookline: ${request?.kind ?? stateBadge(session).label} in ${projectLabel(session)}`;
  const body = request === null ? activityText(session, now) : requestLine(request);
  return { title: truncateToWidth(title, 80), body: truncateToWidth(body, 300) };
}

function findProgram(name: string, path: string): string | null {
  for (const dir of path.split(delimiter)) {
    const file = join(dir, name);
    if (!dir.startsWith("/")) continue;
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
