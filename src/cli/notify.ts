import { spawn } from "node:child_process";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import type { Program } from "../shown/desktop-notification.ts";
import { abortOnSignals } from "./abort-on-signals.ts";
import { findDesktopNotifier } from "./desktop-notifier.ts";
import { followWaits } from "./follow-waits.ts";
import { note } from "./output.ts";
import { toAmount } from "./parse-number.ts";
import type { Wait } from "./wait-notices.ts";

/** A week, which fits in a timer of this process. */
const MAX_AFTER_SECONDS = 604_800;

export const notifyCommand = defineCommand({
  meta: { name: "notify", description: "Send a desktop notification when a session needs you" },
  args: {
    after: { type: "string", default: "30", description: "Seconds to wait before notifying" },
    command: { type: "string", description: "Also run this command, with the session as JSON on stdin" },
    once: { type: "boolean", description: "Exit after the first notification" },
  },
  run: async ({ args }) => {
    const seconds = toAmount("after", args.after, {
      what: "a number of seconds",
      isValid: (s) => s <= MAX_AFTER_SECONDS,
    });
    const afterMs = seconds! * 1_000;
    const { command } = args;
    const desktop = findDesktopNotifier(process.platform, process.env["PATH"] ?? "");
    if (desktop.type === "missing" && command === undefined)
      throw new AppError("notifier_missing", desktop.how);
    const end = abortOnSignals();
    const warnOnce = onceEach(note);
    const running: Promise<void>[] = [];
    await followWaits(resolveHome().sock, {
      afterMs,
      signal: end.signal,
      onLive: (isLive) => {
        if (!isLive) warnOnce("The daemon is not running; waiting for it.");
      },
      onWait: (wait) => {
        if (desktop.type === "ready")
          running.push(runProgram(desktop.toProgram(wait, Date.now()), "", warnOnce));
        if (command !== undefined)
          running.push(runProgram({ file: "/bin/sh", args: ["-c", command] }, toStdin(wait), warnOnce));
        if (args.once) end.abort();
      },
    });
    await Promise.all(running);
  },
});

/** The session, with the request in question as the waiting one. */
function toStdin({ session, request }: Wait): string {
  return JSON.stringify(request === null ? session : { ...session, waiting: request });
}

/** Never fails: a notification that cannot be shown must not end the watch. */
function runProgram({ file, args }: Program, stdin: string, warnOnce: (text: string) => void): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ["pipe", "ignore", "inherit"] });
    // A command may ignore its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    child.on("error", (error) => {
      warnOnce(`Cannot run ${file}: ${error.message}`);
      resolve();
    });
    child.on("close", (code) => {
      if (code !== 0) warnOnce(`${file} exited with code ${code}.`);
      resolve();
    });
  });
}

function onceEach(printText: (text: string) => void): (text: string) => void {
  const printed = new Set<string>();
  return (text) => {
    if (!printed.has(text)) printText(text);
    printed.add(text);
  };
}
