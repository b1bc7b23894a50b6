import { useEffect } from "react";
import { coveredEdges } from "../parts/window-edges.ts";
import { send } from "./client.ts";

// The daemon holds some requests only while a person looks at them: a page that shows requests says so while it has
// the focus.

interface View {
  /** The one session it shows; null for all. */
  readonly sessionId: string | null;
  readonly requests: readonly string[];
}

/** The daemon forgets a viewer after 7 s. */
const BEAT_MS = 3_000;
const LEAVE_MS = 700;
const MAX_REQUESTS = 500;
const viewer = crypto.randomUUID();
let view: View | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;
let wasLooking = false;
let isFollowed = false;

/** For pages that show requests: which, and of which session. */
export function useViewing(sessionId: string | null, requests: readonly string[]): void {
  const key = JSON.stringify(requests.slice(0, MAX_REQUESTS));
  useEffect(() => {
    show({ sessionId, requests: JSON.parse(key) as string[] });
  }, [sessionId, key]);
  useEffect(() => () => leave(), []);
}

function show(next: View): void {
  clearTimeout(leaving);
  view = next;
  report();
}

/** The next page may show the same requests in a moment. */
function leave(): void {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    view = null;
    report();
  }, LEAVE_MS);
}

/** At once when something changed, then every few seconds for as long as somebody looks. */
function report(): void {
  clearTimeout(timer);
  follow();
  const isLooking = view !== null && document.visibilityState === "visible" && document.hasFocus();
  if (isLooking) {
    tell({ viewer, looking: true, ...view, requests: view!.requests.filter(onScreen()) });
    timer = setTimeout(report, BEAT_MS);
  } else if (wasLooking) tell({ viewer, looking: false });
  wasLooking = isLooking;
}

/** A card that is scrolled away is not being looked at. Equal requests are one card. */
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

/** Scrolling tells what is on the screen now, once it has come to rest. */
const SCROLLED_MS = 300;
let scrolled: ReturnType<typeof setTimeout> | undefined;

function follow(): void {
  if (isFollowed) return;
  isFollowed = true;
  addEventListener("focus", report);
  addEventListener("blur", report);
  document.addEventListener("visibilitychange", report);
  const onScroll = (): void => {
    clearTimeout(scrolled);
    scrolled = setTimeout(report, SCROLLED_MS);
  };
  document.addEventListener("scroll", onScroll, { capture: true, passive: true });
  addEventListener("pagehide", () => {
    if (wasLooking) tell({ viewer, looking: false });
    wasLooking = false;
  });
}

function tell(body: object): void {
  // A missed report is made up for by the next one.
  void send("POST", "/api/control/viewer", body, { keepalive: true }).catch(() => undefined);
}
