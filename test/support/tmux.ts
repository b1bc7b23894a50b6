// A program on a real terminal, in its own tmux server (private socket, no user configuration).

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { PATIENCE_MS } from "./patience.ts";

export interface TmuxOptions {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The complete environment: nothing of the caller's is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cols?: number;
  readonly rows?: number;
}

export interface TmuxSession {
  /** Types literal text; `keys("Enter")` sends it. */
  type(text: string): Promise<void>;
  /** tmux key names: "Enter", "Escape", "Down", "C-c". */
  keys(...names: string[]): Promise<void>;
  /** Holds a key down. tmux itself sends the presses, so none waits for a process to start. Returns when all were sent. */
  hold(key: string, times: number, everyMs: number): Promise<void>;
  /** The visible screen; for a program that ended, its last screen. */
  screen(): Promise<string>;
  /** The same with colour escapes. */
  styled(): Promise<string>;
  /** Expands one of tmux's formats for the pane. */
  ask(format: string): Promise<string>;
  /** Waits for a screen that matches; throws with the last screen otherwise. */
  waitFor(pattern: RegExp, timeoutMs?: number): Promise<string>;
  /** Presses a key repeatedly until the screen matches: a dialog that was just drawn may ignore keys. */
  press(key: string, expected: RegExp, timeoutMs?: number): Promise<string>;
  resize(cols: number, rows: number): Promise<void>;
  pid(): Promise<number>;
  kill(): Promise<void>;
}

const run = promisify(execFile);

export async function openTmux(options: TmuxOptions): Promise<TmuxSession> {
  const { command, cwd, env, cols = 120, rows = 40 } = options;
  const socket = `hookline-${process.pid}-${randomBytes(4).toString("hex")}`;
  const size = ["-x", String(cols), "-y", String(rows)];

  async function tmux(...args: string[]): Promise<string> {
    const { stdout } = await run("tmux", ["-u", "-L", socket, "-f", "/dev/null", ...args], { cwd, env });
    return stdout;
  }

  // `env` makes it at least two words, so tmux execs it without a shell and the pane's pid is the program's.
  const start = ["new-session", "-d", ...size, "-s", "main", "env", ...command];
  await tmux("start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";", ...start);

  async function waitFor(pattern: RegExp, timeoutMs = PATIENCE_MS): Promise<string> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const screen = await session.screen();
      if (pattern.test(screen)) return screen;
      if (Date.now() > deadline)
        throw new Error(`no ${pattern} on the screen in ${timeoutMs} ms:\n${screen}`);
      await sleep(50);
    }
  }

  const session: TmuxSession = {
    type: async (text) => {
      await tmux("send-keys", "-t", "main", "-l", "--", text);
      // The program would read an Enter that arrives with the text as a pasted newline.
      await sleep(150);
    },
    keys: async (...names) => {
      await tmux("send-keys", "-t", "main", ...names);
    },
    hold: async (key, times, everyMs) => {
      const at = (press: number, action: string): string[] => [
        ...["run-shell", "-b", "-d", String((press * everyMs) / 1_000), "-C", action, ";"],
      ];
      const presses = Array.from({ length: times }, (_, press) => at(press, `send-keys -t main ${key}`));
      await tmux(...presses.flat(), ...at(times, "wait-for -S held"), "wait-for", "held");
    },
    screen: () => tmux("capture-pane", "-p", "-t", "main"),
    styled: () => tmux("capture-pane", "-p", "-e", "-t", "main"),
    ask: async (format) => (await tmux("display-message", "-p", "-t", "main", format)).trim(),
    waitFor,
    async press(key, expected, timeoutMs = PATIENCE_MS) {
      for (const deadline = Date.now() + timeoutMs; ; ) {
        await session.keys(key);
        const restMs = deadline - Date.now();
        const screen = await waitFor(expected, Math.min(restMs, 3_000)).catch((error: unknown) => {
          if (Date.now() > deadline) throw error;
          return null;
        });
        if (screen !== null) return screen;
      }
    },
    resize: async (cols, rows) => {
      await tmux("resize-window", "-t", "main", "-x", String(cols), "-y", String(rows));
    },
    pid: async () => Number(await tmux("display-message", "-p", "-t", "main", "#{pane_pid}")),
    kill: async () => {
      await tmux("kill-server").catch(() => undefined);
    },
  };
  return session;
}
