import { Box, render, Text, useInput, useWindowSize } from "ink";
import {
  createElement,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
import type { Home } from "../../home.ts";
import { note } from "../output.ts";
import { noPaint, type Paint, paintFor } from "../paint.ts";
import { signalOfEnd } from "../signal-of-end.ts";
import { followData } from "./follow-data.ts";
import { perform } from "./perform.ts";
import { pressKey } from "./press-key.ts";
import { toKeys } from "./to-key.ts";
import { cardOf, NO_DATA, type TopData } from "./top-data.ts";
import { paneFor, topFrame } from "./top-frame.ts";
import { applyOutcome, FIRST_VIEW, rowsOf, selectedOf, type TopView } from "./top-view.ts";

export interface TopOptions {
  readonly ascii: boolean;
  /** Ends by itself as soon as a session waits for a person. */
  readonly untilNeeded: boolean;
}

/** At most so often something new is drawn. */
const REPAINT_MS = 200;
const TAIL_MS = 1_000;

/** The screen, until a person leaves it or it is ended. True when a session waited and that was what was waited for. */
export async function openTop(home: Home, options: TopOptions): Promise<boolean> {
  const end = signalOfEnd();
  const feed = createFeed();
  const paint = options.ascii ? noPaint : paintFor(process.stdout);
  let isNeeded = false;
  let crash: unknown = null;
  const fail = (error: unknown): void => {
    crash ??= error;
    end.abort();
  };
  const follow = followData(home, end.signal, (data) => {
    feed.tell(data);
    isNeeded = data.source.type === "live" && [...data.sessions.values()].some((one) => one.needsPerson);
    if (options.untilNeeded && isNeeded) end.abort();
  }).catch(fail);
  // Whatever breaks, the person's own screen comes back first, and then what broke is told there.
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  const screen = render(
    createElement(Top, { home, feed, paint, ascii: options.ascii, onQuit: () => end.abort() }),
    {
      alternateScreen: true,
      interactive: true,
      exitOnCtrlC: false,
      incrementalRendering: true,
      patchConsole: false,
    },
  );
  const left = screen.waitUntilExit().catch(fail);
  await new Promise<void>((resolve) => {
    if (end.signal.aborted) resolve();
    else end.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  screen.unmount();
  await left;
  await follow;
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
  tell(data: TopData): void;
  onData(act: () => void): () => void;
}

function createFeed(): Feed {
  let data = NO_DATA;
  let listener = (): void => undefined;
  return {
    get: () => data,
    tell(next) {
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
  readonly paint: Paint;
  readonly ascii: boolean;
  readonly onQuit: () => void;
}

function Top({ home, feed, paint, ascii, onQuit }: TopProps): ReactNode {
  const { columns, rows: height } = useWindowSize();
  const [view, setView] = useState<TopView>(FIRST_VIEW);
  // Keys that come at once are each pressed on what the one before left.
  const latest = useRef(view);
  const show = useCallback((next: TopView): void => {
    latest.current = next;
    setView(next);
  }, []);
  const data = useData(feed);
  const now = Date.now();
  const rows = useMemo(() => rowsOf(data, view, now), [data, view, now]);
  const card = cardOf(data, selectedOf(rows, view));
  const seen = useRef({ id: "", atMs: 0 });
  if (seen.current.id !== (card?.id ?? "")) seen.current = { id: card?.id ?? "", atMs: now };

  // One line less than there are: a full screen is not painted by parts.
  const frame = { width: columns, height: height - 1, now, paint, ascii };
  const tailed = view.screen.type === "tail" ? view.screen.sessionId : null;
  useEffect(() => {
    const session = tailed === null ? undefined : feed.get().sessions.get(tailed);
    if (session === undefined) return;
    const again = setInterval(async () => {
      const outcome = await perform(home, { type: "tail", session }, { width: columns, paint });
      if (outcome.type === "tail") show(applyOutcome(latest.current, outcome));
    }, TAIL_MS);
    return () => clearInterval(again);
  }, [tailed, feed, home, columns, paint, show]);

  useInput((input, key) => {
    const selected = selectedOf(rows, latest.current);
    const { isWhole } = paneFor(data, selected, frame);
    const cardMs = Date.now() - seen.current.atMs;
    const shown = { rows, card, isWhole, cardMs, page: Math.max(1, height - 8) };
    for (const one of toKeys(input, key)) {
      const { view: next, act } = pressKey(latest.current, one, shown);
      show(next);
      if (act?.type === "quit") return onQuit();
      if (act === null) continue;
      perform(home, act, { width: columns, paint }).then((outcome) =>
        show(applyOutcome(latest.current, outcome)),
      );
    }
  });

  const lines = topFrame(data, view, frame);
  return createElement(
    Box,
    { flexDirection: "column" },
    lines.map((line, index) =>
      createElement(Text, { key: index, wrap: "truncate" }, line === "" ? " " : line),
    ),
  );
}

/** What is new, five times a second at most; and once a second for the ages. */
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
