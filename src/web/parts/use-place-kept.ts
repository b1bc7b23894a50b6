import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from "react";

const PLACE_MS = 3_000;

interface Place {
  readonly style: CSSProperties;
  readonly onPointerEnter: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave: () => void;
}

/**
 * An element that somebody points at keeps the height of the request it holds after that is over, and for a while after
 * the pointer has gone: what is below must not slip under a hand that was about to press something.
 */
export function usePlaceKept(isWaiting: boolean): Place {
  const element = useRef<HTMLElement | null>(null);
  const height = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [isKept, setKept] = useState(false);
  useEffect(() => {
    if (isWaiting && element.current !== null) height.current = element.current.offsetHeight;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    style: isKept && !isWaiting && height.current > 0 ? { minHeight: height.current } : {},
    onPointerEnter: ({ currentTarget }) => {
      element.current = currentTarget;
      clearTimeout(timer.current);
      if (!isWaiting) return;
      height.current = currentTarget.offsetHeight;
      setKept(true);
    },
    onPointerLeave: () => {
      timer.current = setTimeout(() => {
        setKept(false);
        height.current = 0;
      }, PLACE_MS);
    },
  };
}
