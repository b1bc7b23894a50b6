import { MIN_VISIBLE_MS } from "./press-answer.ts";
import type { Frame } from "./top-frame.ts";
import type { Viewer } from "./viewer.ts";

/** What is actually on the screen: keys answer it, and it is reported to the daemon. */
export interface DrawnFrame {
  frame(): Frame | null;
  /** Since when its request has been visible. */
  sinceMs(): number;
  isEndSeen(requestId: string): boolean;
  /** Call for each typed character: one that comes too early must not make the next one valid. */
  onCharacter(): void;
  onDrawn(frame: Frame): void;
  close(): void;
}

const POLL_MS = 50;
const MIN_STALL_MS = 200;

export function createDrawnFrame(viewer: Pick<Viewer, "setShown">, nowMs: () => number): DrawnFrame {
  let drawn: Frame | null = null;
  let cardId = "";
  let visibleSinceMs = nowMs();
  let ranAtMs = nowMs();
  const endsSeen = new Set<string>();

  /** Keys pressed while the process was stalled arrive all at once, before the user could see the screen. */
  const checkStall = (): void => {
    const now = nowMs();
    if (now - ranAtMs > MIN_STALL_MS) visibleSinceMs = now;
    ranAtMs = now;
  };
  const timer = setInterval(checkStall, POLL_MS);
  return {
    frame: () => drawn,
    sinceMs() {
      // A key may be delivered before the overdue timer.
      checkStall();
      return visibleSinceMs;
    },
    isEndSeen: (requestId) => endsSeen.has(requestId),
    onCharacter() {
      if (nowMs() - visibleSinceMs < MIN_VISIBLE_MS) visibleSinceMs = nowMs();
    },
    onDrawn(frame) {
      // A record is shortened, so the viewing time restarts when the raw text is shown.
      const id = frame.current?.request.card?.id ?? "";
      if (id !== cardId) visibleSinceMs = nowMs();
      if (frame.current?.isEndDrawn) endsSeen.add(id);
      drawn = frame;
      cardId = id;
      const { sessionId, requests } = frame;
      viewer.setShown(sessionId === undefined ? null : { sessionId, requests: [...requests] });
    },
    close: () => clearInterval(timer),
  };
}
