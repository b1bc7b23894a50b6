import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** What has just come or moved is not answered by a hand that was on its way to something else. */
const TOO_SOON_MS = 350;
const LOOK_MS = 100;
const MOVED_PX = 2;

let pageMovedAtMs = 0;

/** For what scrolls by itself: everything in it has moved. */
export function markMoved(): void {
  pageMovedAtMs = performance.now();
}

export interface Steady {
  /** It has been at its place for a moment. */
  readonly isSteady: boolean;
  /** The same, measured now; what has moved is not steady from then on. */
  readonly check: () => boolean;
}

/** Whether what can be pressed has stood still for a moment. Scrolling is a person's own doing and moves nothing. */
export function useSteady(element: RefObject<HTMLElement | null>, key: string): Steady {
  const [steady, setSteady] = useState<string | null>(null);
  const place = useRef<readonly [number, number]>([0, 0]);
  const movedAtMs = useRef(0);
  const check = useCallback((): boolean => {
    const now = placeOf(element.current);
    const hasMoved = now.some((value, index) => Math.abs(value - place.current[index]!) > MOVED_PX);
    if (hasMoved) {
      place.current = now;
      movedAtMs.current = performance.now();
      setSteady(null);
    }
    return performance.now() - Math.max(movedAtMs.current, pageMovedAtMs) >= TOO_SOON_MS;
  }, [element]);
  useEffect(() => {
    movedAtMs.current = performance.now();
    const timer = setInterval(() => setSteady(check() ? key : null), LOOK_MS);
    return () => clearInterval(timer);
  }, [check, key]);
  return { isSteady: steady === key, check };
}

/** As if nothing were scrolled. */
function placeOf(element: HTMLElement | null): readonly [number, number] {
  if (element === null) return [0, 0];
  let { left, top } = element.getBoundingClientRect();
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    left += at.scrollLeft;
    top += at.scrollTop;
  }
  return [left, top];
}
