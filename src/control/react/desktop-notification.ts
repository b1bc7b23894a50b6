import { findProgram } from "../../files/find-program.ts";
import {
  type DesktopNotification,
  type Program,
  toNotifySend,
  toOsascript,
} from "../../shown/desktop-notification.ts";
import { failureText, runProgram } from "./run-program.ts";

/** Null on success, else why not. */
type Failure = Promise<string | null>;

type Env = Readonly<Record<string, string>>;

const TIMEOUT_MS = 10_000;

/** Shows a desktop notification. Texts are separate arguments, never parts of a script. */
export async function showNotification(
  { title, body }: DesktopNotification,
  env: Env,
  signal: AbortSignal,
): Failure {
  const path = env["PATH"] ?? "";
  const notification = {
    title: oneLine(title.startsWith("Hookline") ? title : `Hookline: ${title}`, 80),
    body: oneLine(body, 300),
  };
  const notifySend = findProgram(["notify-send"], path);
  if (notifySend !== null) return run(toNotifySend(notifySend, notification), env, signal);
  const osascript = findProgram(["osascript"], path);
  if (osascript !== null) return run(toOsascript(osascript, notification), env, signal);
  return "nothing here shows a notification: notify-send (libnotify) or osascript is needed";
}

/** Speaks a text with the first available speech program. */
export async function speak(text: string, env: Env, signal: AbortSignal): Failure {
  const file = findProgram(["say", "espeak-ng", "spd-say", "espeak"], env["PATH"] ?? "");
  if (file === null)
    return "nothing here speaks: say, espeak-ng, spd-say or espeak is needed in the daemon's PATH";
  // Not all of them support `--`.
  const spokenText = oneLine(text, 500).replace(/^[-\s]+/, "");
  return run({ file, args: [...(file.endsWith("/spd-say") ? ["--wait"] : []), spokenText] }, env, signal);
}

async function run({ file, args }: Program, env: Env, signal: AbortSignal): Failure {
  const ended = await runProgram({ file, args, cwd: "/", env, stdin: "", timeoutMs: TIMEOUT_MS, signal });
  return failureText(ended, file);
}

function oneLine(text: string, limit: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= limit ? line : `${characters.slice(0, limit - 1).join("")}…`;
}
