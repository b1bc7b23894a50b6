import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from "react";

const PLACE_SECONDS = 3;

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
  const [isKept, setKept] = useState(false);
  useEffect(() => {
    if (isWaiting && element.current !== null) height.current = element.current.offsetHeight;
  });
  useEffect(() => {
    if (!isKept || isWaiting) return;
    let away = 0;
    // Asked, not told: an element that is removed under the pointer fires no event.
    const timer = setInterval(() => {
      away = element.current?.matches(":hover") === true ? 0 : away + 1;
      if (away >= PLACE_SECONDS) setKept(false);
    }, 1_000);
    return () => clearInterval(timer);
  }, [isKept, isWaiting]);
  return {
    style: isKept && !isWaiting && height.current > 0 ? { minHeight: height.current } : {},
    onPointerEnter: ({ currentTarget }) => {
      element.current = currentTarget;
      if (!isWaiting) return;
      height.current = currentTarget.offsetHeight;
      setKept(true);
    },
    onPointerLeave: () => {
      if (isWaiting) setKept(false);
    },
  };
}
