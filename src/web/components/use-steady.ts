import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** A control that has just appeared or moved must not receive a click meant for another. */
const STEADY_MS = 350;
const CHECK_MS = 100;
const MIN_MOVE_PX = 2;

let pageMovedAtMs = 0;

/** Called by containers that scroll automatically, which moves everything in them. */
export function markMoved(): void {
  pageMovedAtMs = performance.now();
}

export interface Steady {
  /** It has not moved for a moment. */
  readonly isSteady: boolean;
  /** The same, measured now; resets if it has moved. */
  readonly check: () => boolean;
}

/** Whether a control has stayed in place for a moment. Scrolling by the user does not count as movement. */
export function useSteady(element: RefObject<HTMLElement | null>, key: string): Steady {
  const [steady, setSteady] = useState<string | null>(null);
  const lastPosition = useRef<readonly [number, number]>([0, 0]);
  const movedAtMs = useRef(0);
  const check = useCallback((): boolean => {
    const position = positionOf(element.current);
    const hasMoved = position.some(
      (value, index) => Math.abs(value - lastPosition.current[index]!) > MIN_MOVE_PX,
    );
    if (hasMoved) {
      lastPosition.current = position;
      movedAtMs.current = performance.now();
      setSteady(null);
    }
    return performance.now() - Math.max(movedAtMs.current, pageMovedAtMs) >= STEADY_MS;
  }, [element]);
  useEffect(() => {
    movedAtMs.current = performance.now();
    const timer = setInterval(() => setSteady(check() ? key : null), CHECK_MS);
    return () => clearInterval(timer);
  }, [check, key]);
  return { isSteady: steady === key, check };
}

/** The position with all scrolling removed. */
function positionOf(element: HTMLElement | null): readonly [number, number] {
  if (element === null) return [0, 0];
  let { left, top } = element.getBoundingClientRect();
  for (let ancestor = element.parentElement; ancestor !== null; ancestor = ancestor.parentElement) {
    left += ancestor.scrollLeft;
    top += ancestor.scrollTop;
  }
  return [left, top];
}
