import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { promisify } from "node:util";
import type { SessionSnapshot } from "../serve/contract.ts";
import { quoteWordIfNeeded } from "../shell/quote-word.ts";
import { oneLine } from "../shown/plain-text.ts";

export type JumpPlan =
  | { readonly type: "tmux"; readonly socket: string; readonly pane: string; readonly isInside: boolean }
  | { readonly type: "script"; readonly script: readonly string[]; readonly argument: string }
  | { readonly type: "none"; readonly known: string };

/** `done` with what is left for the user to do, if anything; otherwise the reason it failed. */
export type JumpResult =
  | { readonly type: "done"; readonly hint: string | null }
  | { readonly type: "failed"; readonly why: string };

interface JumpContext {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The terminal of the agent's process, `/dev/pts/3`. */
  readonly tty: string | null;
}

const run = promisify(execFile);

/** How to reach a session's terminal. All inputs come from the agent's environment, so all are checked. */
export function planJump({ terminal }: SessionSnapshot, { platform, env, tty }: JumpContext): JumpPlan {
  const [, socket] = /^(\/.*),\d+,\d+$/.exec(terminal?.tmux ?? "") ?? [];
  const pane = terminal?.tmuxPane ?? "";
  if (socket !== undefined && /^%\d+$/.test(pane))
    return { type: "tmux", socket, pane, isInside: (env["TMUX"] ?? "").startsWith(`${socket},`) };
  const [, iterm] = /^w\d+t\d+p\d+:([\w-]+)$/.exec(terminal?.sessionId ?? "") ?? [];
  if (platform === "darwin" && terminal?.program === "iTerm.app" && iterm !== undefined)
    return { type: "script", script: ITERM_SCRIPT, argument: iterm };
  if (platform === "darwin" && terminal?.program === "Apple_Terminal" && tty !== null)
    return { type: "script", script: APPLE_TERMINAL_SCRIPT, argument: tty };
  const where = [
    terminal?.program && `in ${oneLine(terminal.program)}`,
    (tty ?? terminal?.sshTty) && `on ${oneLine((tty ?? terminal?.sshTty)!)}`,
  ].filter(Boolean);
  return { type: "none", known: where.join(" ") };
}

export async function jump(session: SessionSnapshot): Promise<JumpResult> {
  const tty = session.pid === null ? null : await ttyOf(session.pid);
  const plan = planJump(session, { platform: process.platform, env: process.env, tty });
  switch (plan.type) {
    case "tmux":
      return jumpInTmux(plan);
    case "script":
      return runScript(plan);
    case "none":
      return {
        type: "failed",
        why: plan.known === "" ? "its terminal is unknown." : `it runs ${plan.known}; switch there by hand.`,
      };
    default:
      return plan satisfies never;
  }
}

async function jumpInTmux({ socket, pane, isInside }: JumpPlan & { type: "tmux" }): Promise<JumpResult> {
  const file = statSync(socket, { throwIfNoEntry: false });
  if (!file?.isSocket() || file.uid !== process.getuid?.())
    return { type: "failed", why: "its tmux server is no longer running." };
  const tmux = async (...args: string[]): Promise<string> =>
    (await run("tmux", ["-S", socket, ...args], { timeout: 5_000 })).stdout.trim();
  try {
    await tmux("select-window", "-t", pane);
    await tmux("select-pane", "-t", pane);
    if (isInside) {
      await tmux("switch-client", "-t", pane);
      return { type: "done", hint: null };
    }
    const [attached, id] = (
      await tmux("display-message", "-p", "-t", pane, "#{session_attached} #{session_id}")
    ).split(" ");
    if (attached !== "0" || id === undefined || !/^\$\d+$/.test(id)) return { type: "done", hint: null };
    return {
      type: "done",
      hint: `Its tmux session is detached; attach with: tmux -S ${quoteWordIfNeeded(oneLine(socket))} attach -t ${quoteWordIfNeeded(id)}`,
    };
  } catch (error) {
    return { type: "failed", why: `tmux cannot switch to ${pane}: ${oneLine(reason(error))}` };
  }
}

async function runScript({ script, argument }: JumpPlan & { type: "script" }): Promise<JumpResult> {
  try {
    const lines = script.flatMap((line) => ["-e", line]);
    const { stdout } = await run("osascript", [...lines, argument], { timeout: 5_000 });
    if (stdout.trim() === "found") return { type: "done", hint: null };
    return { type: "failed", why: "its window is closed." };
  } catch (error) {
    return { type: "failed", why: `its terminal cannot be controlled: ${oneLine(reason(error))}` };
  }
}

function reason(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return stderr || message;
}

async function ttyOf(pid: number): Promise<string | null> {
  try {
    const { stdout } = await run("ps", ["-o", "tty=", "-p", String(pid)], { timeout: 2_000 });
    const name = stdout.trim();
    return /^[\w/]+$/.test(name) ? `/dev/${name}` : null;
  } catch {
    return null;
  }
}

/** Not tested on a Mac yet. The target is passed as an argument, never as part of the script. */
const ITERM_SCRIPT = [
  "on run argv",
  'tell application "iTerm2"',
  "repeat with w in windows",
  "repeat with t in tabs of w",
  "repeat with s in sessions of t",
  "if unique id of s is item 1 of argv then",
  "select w",
  "select t",
  "select s",
  "activate",
  'return "found"',
  "end if",
  "end repeat",
  "end repeat",
  "end repeat",
  "end tell",
  "end run",
];
const APPLE_TERMINAL_SCRIPT = [
  "on run argv",
  'tell application "Terminal"',
  "repeat with w in windows",
  "repeat with t in tabs of w",
  "if tty of t is item 1 of argv then",
  "set selected of t to true",
  "set index of w to 1",
  "activate",
  'return "found"',
  "end if",
  "end repeat",
  "end repeat",
  "end tell",
  "end run",
];
