import { useEffect } from "react";
import { coveredEdges } from "../components/window-edges.ts";
import { send } from "./client.ts";

// The daemon holds some requests only while a person is viewing them, so a page that shows requests reports
// it while it has the focus.

interface View {
  /** The session on the page; null for all. */
  readonly sessionId: string | null;
  readonly requests: readonly string[];
}

/** The daemon forgets a viewer after 7 s. */
const REPORT_MS = 3_000;
const LEAVE_DELAY_MS = 700;
const MAX_REQUESTS = 500;
const viewer = crypto.randomUUID();
let view: View | null = null;
let reportTimer: ReturnType<typeof setTimeout> | undefined;
let leaveTimer: ReturnType<typeof setTimeout> | undefined;
let wasViewing = false;
let isListening = false;

/** Reports the requests that a page shows, and their session. */
export function useReportViewing(sessionId: string | null, requests: readonly string[]): void {
  const key = JSON.stringify(requests.slice(0, MAX_REQUESTS));
  useEffect(() => {
    show({ sessionId, requests: JSON.parse(key) as string[] });
  }, [sessionId, key]);
  useEffect(() => () => leave(), []);
}

function show(next: View): void {
  clearTimeout(leaveTimer);
  view = next;
  report();
}

/** Delayed, because the next page may show the same requests in a moment. */
function leave(): void {
  clearTimeout(leaveTimer);
  leaveTimer = setTimeout(() => {
    view = null;
    report();
  }, LEAVE_DELAY_MS);
}

/** Reports immediately on a change, then every few seconds while the page is being viewed. */
function report(): void {
  clearTimeout(reportTimer);
  listen();
  const isViewing = view !== null && document.visibilityState === "visible" && document.hasFocus();
  if (isViewing) {
    sendReport({ viewer, looking: true, ...view, requests: view!.requests.filter(onScreen()) });
    reportTimer = setTimeout(report, REPORT_MS);
  } else if (wasViewing) sendReport({ viewer, looking: false });
  wasViewing = isViewing;
}

/** A card that is scrolled out of view is not being viewed. Equal requests share one card. */
function onScreen(): (id: string) => boolean {
  const ids = new Set<string>();
  const edges = coveredEdges();
  for (const element of document.querySelectorAll<HTMLElement>("main [data-request]")) {
    const { top, bottom, height } = element.getBoundingClientRect();
    if (height > 0 && bottom > edges.top && top < innerHeight - edges.bottom)
      for (const id of (element.dataset["ids"] ?? element.dataset["request"]!).split(" ")) ids.add(id);
  }
  return (id) => ids.has(id);
}

/** The visible requests are reported once scrolling has stopped for this long. */
const SCROLL_IDLE_MS = 300;
let scrollTimer: ReturnType<typeof setTimeout> | undefined;

function listen(): void {
  if (isListening) return;
  isListening = true;
  addEventListener("focus", report);
  addEventListener("blur", report);
  document.addEventListener("visibilitychange", report);
  const onScroll = (): void => {
    clearTimeout(scrollTimer);
    scrollTimer = setTimeout(report, SCROLL_IDLE_MS);
  };
  document.addEventListener("scroll", onScroll, { capture: true, passive: true });
  addEventListener("pagehide", () => {
    if (wasViewing) sendReport({ viewer, looking: false });
    wasViewing = false;
  });
}

function sendReport(body: object): void {
  // The next report makes up for a missed one.
  void send("POST", "/api/control/viewer", body, { keepalive: true }).catch(() => undefined);
}
