import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { cutTo } from "./display-width.ts";
import { requestLine } from "./request-text.ts";
import { doingOf, placeOf } from "./session-doing.ts";
import { faceOf } from "./session-face.ts";
import type { Wait } from "./wait-notices.ts";

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

export type Desktop =
  | { readonly type: "ready"; toProgram(wait: Wait, now: number): Program }
  | { readonly type: "missing"; readonly how: string };

/** What shows a notification on this machine. Texts are arguments of their own, never parts of a script. */
export function findDesktop(platform: NodeJS.Platform, path: string): Desktop {
  if (platform === "darwin") return { type: "ready", toProgram: toOsascript };
  const file = findProgram("notify-send", path);
  if (file !== null) return { type: "ready", toProgram: (wait, now) => toNotifySend(file, wait, now) };
  return {
    type: "missing",
    how: "notify-send is not installed: `apt install libnotify-bin` or `dnf install libnotify` brings it; or give --command.",
  };
}

function toNotifySend(file: string, wait: Wait, now: number): Program {
  const { title, body } = texts(wait, now);
  // The body is markup to a notification server; the title is not.
  const escaped = body.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]!);
  return { file, args: ["--app-name=Hookline", "--", title, escaped] };
}

function toOsascript(wait: Wait, now: number): Program {
  const { title, body } = texts(wait, now);
  const script = [
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
  ];
  return { file: "osascript", args: [...script.flatMap((line) => ["-e", line]), title, body] };
}

/** The title begins with our name, so that nothing an agent wrote is taken for an option. */
function texts({ session, request }: Wait, now: number): { title: string; body: string } {
  const title = `Hookline: ${request?.kind ?? faceOf(session).word} in ${placeOf(session)}`;
  const body = request === null ? doingOf(session, now) : requestLine(request);
  return { title: cutTo(title, 80), body: cutTo(body, 300) };
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
