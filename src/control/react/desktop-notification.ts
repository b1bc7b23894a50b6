import { failureText, findProgram, runProgram } from "./run-program.ts";

interface Notification {
  readonly title: string;
  readonly body: string;
}

/** Null on success, else why not. */
type Done = Promise<string | null>;

type Env = Readonly<Record<string, string>>;

const TIMEOUT_MS = 10_000;
const SCRIPT = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
];

/** Shows a desktop notification. Texts are separate arguments, never parts of a script. */
export async function showNotification({ title, body }: Notification, env: Env, signal: AbortSignal): Done {
  const path = env["PATH"] ?? "";
  // Agent-written text must not be parsed as an option.
  const named = oneLine(title.startsWith("Hookline") ? title : `Hookline: ${title}`, 80);
  const text = oneLine(body, 300);
  const notifySend = findProgram(["notify-send"], path);
  if (notifySend !== null)
    return run(notifySend, ["--app-name=Hookline", "--", named, escapeMarkup(text)], env, signal);
  const osascript = findProgram(["osascript"], path);
  if (osascript !== null)
    return run(osascript, [...SCRIPT.flatMap((line) => ["-e", line]), named, text], env, signal);
  return "nothing here shows a notification: notify-send (libnotify) or osascript is needed";
}

/** Speaks a text with the first available speech program. */
export async function speak(text: string, env: Env, signal: AbortSignal): Done {
  const file = findProgram(["say", "espeak-ng", "spd-say", "espeak"], env["PATH"] ?? "");
  if (file === null)
    return "nothing here speaks: say, espeak-ng, spd-say or espeak is needed in the daemon's PATH";
  // Not all of them support `--`.
  const words = oneLine(text, 500).replace(/^[-\s]+/, "");
  return run(file, [...(file.endsWith("/spd-say") ? ["--wait"] : []), words], env, signal);
}

async function run(file: string, args: readonly string[], env: Env, signal: AbortSignal): Done {
  const ended = await runProgram({ file, args, cwd: "/", env, stdin: "", timeoutMs: TIMEOUT_MS, signal });
  return failureText(ended, file);
}

function oneLine(text: string, limit: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const letters = Array.from(line);
  return letters.length <= limit ? line : `${letters.slice(0, limit - 1).join("")}…`;
}

/** Notification servers parse the body as markup, but not the title. */
function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]!);
}
