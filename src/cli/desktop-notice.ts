import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { SessionSnapshot } from "../serve/contract.ts";
import { cutTo } from "./display-width.ts";
import { doingOf, placeOf } from "./session-doing.ts";
import { faceOf } from "./session-face.ts";

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

export type Desktop =
  | { readonly type: "ready"; toProgram(session: SessionSnapshot, now: number): Program }
  | { readonly type: "missing"; readonly how: string };

/** What shows a notification on this machine. Texts are arguments of their own, never parts of a script. */
export function findDesktop(platform: NodeJS.Platform, path: string): Desktop {
  if (platform === "darwin") return { type: "ready", toProgram: toOsascript };
  const file = findProgram("notify-send", path);
  if (file !== null) return { type: "ready", toProgram: (session, now) => toNotifySend(file, session, now) };
  return {
    type: "missing",
    how: "notify-send is not installed: `apt install libnotify-bin` or `dnf install libnotify` brings it; or give --command.",
  };
}

function toNotifySend(file: string, session: SessionSnapshot, now: number): Program {
  const { title, body } = texts(session, now);
  // The body is markup to a notification server; the title is not.
  const escaped = body.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]!);
  return { file, args: ["--app-name=Hookline", "--", title, escaped] };
}

function toOsascript(session: SessionSnapshot, now: number): Program {
  const { title, body } = texts(session, now);
  const script = [
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
  ];
  return { file: "osascript", args: [...script.flatMap((line) => ["-e", line]), title, body] };
}

/** The title begins with our name, so that nothing an agent wrote is taken for an option. */
function texts(session: SessionSnapshot, now: number): { title: string; body: string } {
  const title = `Hookline: ${faceOf(session).word} in ${placeOf(session)}`;
  return { title: cutTo(title, 80), body: cutTo(doingOf(session, now), 300) };
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
