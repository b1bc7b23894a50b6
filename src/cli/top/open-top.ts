import { Box, render, Text, useInput, useWindowSize } from "ink";
import { createElement, type ReactNode, useCallback, useEffect, useReducer, useRef } from "react";
import type { Home } from "../../home.ts";
import { abortOnSignals } from "../abort-on-signals.ts";
import { note } from "../output.ts";
import { noPaint, type Paint, paintFor } from "../paint.ts";
import { updateCurrentRequest } from "./current-request.ts";
import { followTopData } from "./follow-data.ts";
import type { ShownScreen } from "./key-result.ts";
import { performAction } from "./perform-action.ts";
import { MIN_VISIBLE_MS } from "./press-answer.ts";
import { pressKey } from "./press-key.ts";
import { toKeys } from "./to-key.ts";
import { NO_DATA, requestGroups, type TopData } from "./top-data.ts";
import { drawTop, type Frame } from "./top-frame.ts";
import { applyOutcome, INITIAL_VIEW, listRows, selectedSession, type TopView } from "./top-view.ts";
import { openViewer, type Viewer } from "./viewer.ts";
import { FOCUS_OFF, FOCUS_ON, watchFocus } from "./watch-focus.ts";

export interface TopOptions {
  readonly ascii: boolean;
  /** Exits as soon as a session waits for a person. */
  readonly untilNeeded: boolean;
}

/** The minimum time between repaints. */
const REPAINT_MS = 200;
const TAIL_MS = 1_000;

/** Shows the screen until the user quits or it is aborted. Returns whether a session needs a person then. */
export async function openTop(home: Home, options: TopOptions): Promise<boolean> {
  const end = abortOnSignals();
  const feed = createFeed();
  const viewer = openViewer(home);
  const paint = options.ascii ? noPaint : paintFor(process.stdout);
  let isNeeded = false;
  let crash: unknown = null;
  const fail = (error: unknown): void => {
    crash ??= error;
    end.abort();
  };
  const follow = followTopData(home, end.signal, (data) => {
    feed.publish(data);
    isNeeded = data.source.type === "live" && [...data.sessions.values()].some((one) => one.needsPerson);
    if (options.untilNeeded && isNeeded) end.abort();
  }).catch(fail);
  // On any crash, restore the user's screen first, then report the error there.
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  const screen = render(
    createElement(Top, { home, feed, viewer, paint, ascii: options.ascii, onQuit: () => end.abort() }),
    {
      alternateScreen: true,
      interactive: true,
      exitOnCtrlC: false,
      incrementalRendering: true,
      patchConsole: false,
    },
  );
  const left = screen.waitUntilExit().catch(fail);
  process.stdout.write(FOCUS_ON);
  await new Promise<void>((resolve) => {
    if (end.signal.aborted) resolve();
    else end.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  process.stdout.write(FOCUS_OFF);
  screen.unmount();
  await left;
  await Promise.all([follow, viewer.close()]);
  process.off("uncaughtException", fail);
  process.off("unhandledRejection", fail);
  // Reading keys keeps a process alive.
  process.stdin.unref();
  if (crash !== null) throw crash;
  if (options.untilNeeded && isNeeded) note("A session waits for you.");
  return isNeeded;
}

interface Feed {
  get(): TopData;
  publish(data: TopData): void;
  onData(act: () => void): () => void;
}

function createFeed(): Feed {
  let data = NO_DATA;
  let listener = (): void => undefined;
  return {
    get: () => data,
    publish(next) {
      data = next;
      listener();
    },
    onData(act) {
      listener = act;
      return () => {
        listener = () => undefined;
      };
    },
  };
}

interface TopProps {
  readonly home: Home;
  readonly feed: Feed;
  readonly viewer: Viewer;
  readonly paint: Paint;
  readonly ascii: boolean;
  readonly onQuit: () => void;
}

function Top({ home, feed, viewer, paint, ascii, onQuit }: TopProps): ReactNode {
  const { columns, rows: height } = useWindowSize();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // When several keys arrive at once, each applies to the result of the previous one.
  const latest = useRef<TopView>(INITIAL_VIEW);
  const show = useCallback((next: TopView): void => {
    latest.current = next;
    redraw();
  }, []);
  const data = useData(feed);
  const now = Date.now();
  latest.current = updateCurrentRequest(latest.current, data, now);
  const view = latest.current;
  // One line less than available: a full screen is not painted incrementally.
  const options = { width: columns, height: height - 1, now, paint, ascii };
  const frame = drawTop(data, view, options);
  const screen = useDrawnFrame(frame, viewer);

  const tailed = view.screen.type === "tail" ? view.screen.sessionId : null;
  useEffect(() => {
    const session = tailed === null ? undefined : feed.get().sessions.get(tailed);
    if (session === undefined) return;
    const again = setInterval(async () => {
      const outcome = await performAction(home, { type: "tail", session }, { width: columns, paint });
      if (outcome.type === "tail") show(applyOutcome(latest.current, outcome));
    }, TAIL_MS);
    return () => clearInterval(again);
  }, [tailed, feed, home, columns, paint, show]);

  useInput((input, key) => {
    for (const one of toKeys(input, key)) {
      const shown = toShownScreen(feed.get(), latest.current, screen, Math.max(1, height - 8));
      const { view: next, act } = pressKey(latest.current, one, shown);
      show(next);
      // A key that is held down, or pressed again immediately, remains too early.
      if (one.name === "char") screen.pressed();
      if (act?.type === "quit") return onQuit();
      if (act === null) continue;
      performAction(home, act, { width: columns, paint }).then((outcome) =>
        show(applyOutcome(latest.current, outcome)),
      );
    }
  });

  // After `useInput`, which reads the keys.
  useEffect(() => watchFocus(process.stdin, viewer.setFocused), [viewer]);

  return createElement(
    Box,
    { flexDirection: "column" },
    frame.lines.map((line, index) =>
      createElement(Text, { key: index, wrap: "truncate" }, line === "" ? " " : line),
    ),
  );
}

const POLL_MS = 50;
const STALLED_MS = 200;

interface DrawnScreen {
  frame(): Frame;
  /** Since when its request has been visible. */
  sinceMs(): number;
  isEndSeen(requestId: string): boolean;
  pressed(): void;
}

/** What has actually been drawn: keys answer that, and it is reported to the daemon. */
function useDrawnFrame(frame: Frame, viewer: Viewer): DrawnScreen {
  const drawn = useRef({ frame, id: "", sinceMs: 0, ends: new Set<string>() });
  useEffect(() => {
    const { current: was } = drawn;
    // A record is shortened, so the viewing time restarts when the raw text is shown.
    const { card = null } = frame.current?.request ?? {};
    const id = card?.id ?? "";
    const sinceMs = id === was.id ? was.sinceMs : Date.now();
    if (frame.current?.isEndDrawn) was.ends.add(id);
    drawn.current = { frame, id, sinceMs, ends: was.ends };
    const { sessionId, requests } = frame;
    viewer.setShown(sessionId === undefined ? null : { sessionId, requests: [...requests] });
  }, [frame, viewer]);
  const ranAtMs = useRef(Date.now());
  /** Keys pressed while the process was stalled arrive all at once, before the user could see the screen. */
  const noteStall = useCallback((): void => {
    const now = Date.now();
    if (now - ranAtMs.current > STALLED_MS) drawn.current = { ...drawn.current, sinceMs: now };
    ranAtMs.current = now;
  }, []);
  useEffect(() => {
    const timer = setInterval(noteStall, POLL_MS);
    return () => clearInterval(timer);
  }, [noteStall]);
  return {
    frame: () => drawn.current.frame,
    sinceMs() {
      // A key may be delivered before the overdue timer.
      noteStall();
      return drawn.current.sinceMs;
    },
    isEndSeen: (requestId) => drawn.current.ends.has(requestId),
    pressed() {
      const { sinceMs } = drawn.current;
      if (Date.now() - sinceMs < MIN_VISIBLE_MS) drawn.current = { ...drawn.current, sinceMs: Date.now() };
    },
  };
}

function toShownScreen(data: TopData, view: TopView, screen: DrawnScreen, page: number): ShownScreen {
  const now = Date.now();
  const rows = listRows(data, view, now);
  const session = selectedSession(rows, view);
  const { current, maxFrom, endFrom } = screen.frame();
  const groups = session === undefined ? [] : requestGroups(data, session.sessionId, now);
  const drawn =
    current === null
      ? null
      : { ...current, isEndSeen: screen.isEndSeen(current.request.id), forMs: now - screen.sinceMs() };
  return { rows, groups, drawn, page, maxFrom, endFrom };
}

/** Redraws on new data at most five times a second, and once a second for the ages. */
function useData(feed: Feed): TopData {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let due: NodeJS.Timeout | undefined;
    const stop = feed.onData(() => {
      due ??= setTimeout(() => {
        due = undefined;
        redraw();
      }, REPAINT_MS);
    });
    redraw();
    const ages = setInterval(redraw, 1_000);
    return () => {
      stop();
      clearTimeout(due);
      clearInterval(ages);
    };
  }, [feed]);
  return feed.get();
}
