import type { Home } from "../../home.ts";
import { abortOnSignals } from "../abort-on-signals.ts";
import { note } from "../output.ts";
import { noPaint, type Paint, paintFor } from "../paint.ts";
import { updateCurrentRequest } from "./current-request.ts";
import { createDrawnFrame, type DrawnFrame } from "./drawn-frame.ts";
import { followTopData } from "./follow-data.ts";
import type { Key, ShownScreen } from "./key-result.ts";
import type { TerminalInput } from "./parse-keys.ts";
import { performAction } from "./perform-action.ts";
import { pressKey } from "./press-key.ts";
import { openTerminalScreen } from "./terminal-screen.ts";
import { NO_DATA, requestGroups, type TopData } from "./top-data.ts";
import { drawTop } from "./top-frame.ts";
import { applyOutcome, INITIAL_VIEW, listRows, selectedSession, type TopView } from "./top-view.ts";
import { openViewer, type Viewer } from "./viewer.ts";

export interface TopOptions {
  readonly ascii: boolean;
  /** Exits as soon as a session waits for a person. */
  readonly untilNeeded: boolean;
}

/** Shows the screen until the user quits or it is aborted. Returns whether a session needs a person then. */
export async function openTop(home: Home, { ascii, untilNeeded }: TopOptions): Promise<boolean> {
  const end = abortOnSignals();
  const viewer = openViewer(home);
  const paint = ascii ? noPaint : paintFor(process.stdout);
  let isNeeded = false;
  let crash: unknown = null;
  const fail = (error: unknown): void => {
    crash ??= error;
    end.abort();
  };
  // On any crash, restore the user's screen first, then report the error there.
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  const top = startTop({ home, viewer, paint, ascii, onQuit: () => end.abort() });
  const follow = followTopData(home, end.signal, (data) => {
    top.update(data);
    isNeeded =
      data.source.type === "live" && [...data.sessions.values()].some(({ needsPerson }) => needsPerson);
    if (untilNeeded && isNeeded) end.abort();
  }).catch(fail);
  await new Promise<void>((resolve) => {
    if (end.signal.aborted) resolve();
    else end.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  top.close();
  await Promise.all([follow, viewer.close()]);
  process.off("uncaughtException", fail);
  process.off("unhandledRejection", fail);
  // Reading keys keeps a process alive.
  process.stdin.unref();
  if (crash !== null) throw crash;
  if (untilNeeded && isNeeded) note("A session waits for you.");
  return isNeeded;
}

interface TopParts {
  readonly home: Home;
  readonly viewer: Viewer;
  readonly paint: Paint;
  readonly ascii: boolean;
  readonly onQuit: () => void;
}

interface Top {
  update(data: TopData): void;
  close(): void;
}

/** The minimum time between repaints for new data. */
const MIN_REPAINT_INTERVAL_MS = 200;
/** Ages are shown in seconds. */
const AGE_INTERVAL_MS = 1_000;
const TAIL_INTERVAL_MS = 1_000;

function startTop({ home, viewer, paint, ascii, onQuit }: TopParts): Top {
  let data = NO_DATA;
  let view = INITIAL_VIEW;
  let repaintTimer: NodeJS.Timeout | undefined;
  const drawn = createDrawnFrame(viewer, Date.now);

  const draw = (): void => {
    const { columns: width, rows } = screen.size();
    const now = Date.now();
    view = updateCurrentRequest(view, data, now);
    const frame = drawTop(data, view, { width, height: rows - 1, now, paint, ascii });
    screen.draw(frame.lines);
    drawn.onDrawn(frame);
  };
  const show = (next: TopView): void => {
    view = next;
    draw();
  };
  const perform = async (action: Parameters<typeof performAction>[1]): Promise<void> => {
    const outcome = await performAction(home, action, { width: screen.size().columns, paint });
    show(applyOutcome(view, outcome));
  };
  const press = (key: Key): void => {
    const page = Math.max(1, screen.size().rows - 8);
    const { view: next, action } = pressKey(view, key, toShownScreen(data, view, drawn, page));
    show(next);
    // A key that is held down, or pressed again immediately, remains too early.
    if (key.name === "char") drawn.onCharacter();
    if (action?.type === "quit") onQuit();
    else if (action !== null) void perform(action);
  };
  const onInput = (input: TerminalInput): void => {
    if (input.type === "focus") viewer.setFocused(input.isFocused);
    else press(input.key);
  };
  const refreshTail = async (): Promise<void> => {
    if (view.screen.type !== "tail") return;
    const { sessionId } = view.screen;
    const session = data.sessions.get(sessionId);
    if (session === undefined) return;
    const action = { type: "tail", session } as const;
    const outcome = await performAction(home, action, { width: screen.size().columns, paint });
    const isStillShown = view.screen.type === "tail" && view.screen.sessionId === sessionId;
    if (outcome.type === "tail" && isStillShown) show(applyOutcome(view, outcome));
  };

  const screen = openTerminalScreen({
    stdin: process.stdin,
    stdout: process.stdout,
    onInput,
    onResize: draw,
  });
  draw();
  const timers = [
    setInterval(draw, AGE_INTERVAL_MS),
    setInterval(() => void refreshTail(), TAIL_INTERVAL_MS),
  ];
  return {
    update(next) {
      data = next;
      repaintTimer ??= setTimeout(() => {
        repaintTimer = undefined;
        draw();
      }, MIN_REPAINT_INTERVAL_MS);
    },
    close() {
      clearTimeout(repaintTimer);
      for (const timer of timers) clearInterval(timer);
      drawn.close();
      screen.close();
    },
  };
}

function toShownScreen(data: TopData, view: TopView, drawn: DrawnFrame, page: number): ShownScreen {
  const now = Date.now();
  const rows = listRows(data, view, now);
  const session = selectedSession(rows, view);
  const { current = null, maxFrom = 0, endFrom = 0 } = drawn.frame() ?? {};
  const groups = session === undefined ? [] : requestGroups(data, session.sessionId, now);
  const request =
    current === null
      ? null
      : { ...current, isEndSeen: drawn.isEndSeen(current.request.id), forMs: now - drawn.sinceMs() };
  return { rows, groups, drawn: request, page, maxFrom, endFrom };
}
