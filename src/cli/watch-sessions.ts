import type { Home } from "../home.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { abortOnSignals } from "./abort-on-signals.ts";
import { matchesFilter, type SessionFilter } from "./find-sessions.ts";
import { applyStreamMessage, followStream } from "./follow-stream.ts";
import { note, print } from "./output.ts";
import { paintFor } from "./paint.ts";
import { changeKey, changeLines, screenLines } from "./session-screen.ts";
import { sortSessions } from "./state-badge.ts";
import { terminalWidth } from "./terminal-width.ts";

interface WatchOptions {
  /** The number of sessions on a screen. */
  readonly limit: number;
  readonly json: boolean;
}

interface View {
  show(sessions: readonly SessionSnapshot[], isLive: boolean): void;
  close(): void;
}

/** Follows the stream until Ctrl-C. */
export async function watchSessions(home: Home, filter: SessionFilter, options: WatchOptions): Promise<void> {
  const { signal } = abortOnSignals();
  const view = process.stdout.isTTY && !options.json ? openScreen(options) : openLines(options);
  let sessions: ReadonlyMap<string, SessionSnapshot> = new Map();
  try {
    for await (const message of followStream(home.sock, { signal })) {
      sessions = applyStreamMessage(sessions, message);
      if (message.type === "gap") continue;
      const now = Date.now();
      const matching = [...sessions.values()].filter((session) => matchesFilter(session, filter, now));
      view.show(matching, message.type !== "down");
    }
  } finally {
    view.close();
  }
}

const REPAINT_MS = 200;

/** On a terminal: one screen, repainted in place, and also when only the ages change. */
function openScreen({ limit }: WatchOptions): View {
  const paint = paintFor(process.stdout);
  let shown: readonly SessionSnapshot[] = [];
  let isLive = true;
  let isDue = true;
  let paintedAtMs = 0;
  const repaint = (): void => {
    if (!isDue && Date.now() - paintedAtMs < 1_000) return;
    isDue = false;
    paintedAtMs = Date.now();
    const { rows = 24 } = process.stdout;
    const lines = screenLines(shown, {
      width: terminalWidth(),
      rows,
      now: paintedAtMs,
      limit,
      isLive,
      paint,
    });
    process.stdout.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join("\r\n")}\u001b[J`);
  };
  const timer = setInterval(repaint, REPAINT_MS);
  const onResize = (): void => {
    isDue = true;
  };
  process.stdout.on("resize", onResize);
  // The alternate screen, so that the user's own lines reappear afterwards.
  process.stdout.write("\u001b[?1049h\u001b[?25l");
  return {
    show(sessions, live) {
      shown = sessions;
      isLive = live;
      isDue = true;
    },
    close() {
      clearInterval(timer);
      process.stdout.off("resize", onResize);
      process.stdout.write("\u001b[?25h\u001b[?1049l");
    },
  };
}

/** Without a terminal: a line for every visible change. */
function openLines({ json }: WatchOptions): View {
  const paint = paintFor(process.stdout);
  const keys = new Map<string, string>();
  let wasLive = true;
  return {
    show(sessions, isLive) {
      if (isLive !== wasLive)
        note(isLive ? "Reconnected to the daemon." : "The daemon is not running; waiting for it.");
      wasLive = isLive;
      const now = Date.now();
      for (const session of sortSessions(sessions)) {
        const key = json ? JSON.stringify(session) : changeKey(session, now);
        if (keys.get(session.sessionId) === key) continue;
        keys.set(session.sessionId, key);
        if (json) print(JSON.stringify(session));
        else print(changeLines(session, { width: terminalWidth(), now, paint }).join("\n"));
      }
    },
    close: () => undefined,
  };
}
