import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** What has just come or moved is not answered by a hand that was on its way to something else. */
const TOO_SOON_MS = 350;
const LOOK_MS = 100;
const MOVED_PX = 2;

export interface Steady {
  /** It has been at its place for a moment. */
  readonly isSteady: boolean;
  /** The same, measured now. */
  readonly check: () => boolean;
}

/** Whether what can be pressed has stood still for a moment. A page that a person scrolls moves nothing under a button. */
export function useSteady(element: RefObject<HTMLElement | null>, key: string): Steady {
  const [steady, setSteady] = useState<string | null>(null);
  const place = useRef<readonly [number, number]>([0, 0]);
  const movedAtMs = useRef(0);
  const check = useCallback((): boolean => {
    const box = element.current?.getBoundingClientRect();
    const now = [(box?.left ?? 0) + scrollX, (box?.top ?? 0) + scrollY] as const;
    const hasMoved = now.some((value, index) => Math.abs(value - place.current[index]!) > MOVED_PX);
    if (hasMoved) {
      place.current = now;
      movedAtMs.current = performance.now();
    }
    return performance.now() - movedAtMs.current >= TOO_SOON_MS;
  }, [element]);
  useEffect(() => {
    movedAtMs.current = performance.now();
    const timer = setInterval(() => setSteady(check() ? key : null), LOOK_MS);
    return () => clearInterval(timer);
  }, [check, key]);
  return { isSteady: steady === key, check };
}
