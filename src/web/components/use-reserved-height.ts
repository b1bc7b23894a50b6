import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from "react";

const RESERVED_SECONDS = 3;

interface ReservedHeight {
  readonly style: CSSProperties;
  readonly onPointerEnter: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave: () => void;
}

/**
 * A hovered element keeps its height after its request has ended, and for a while after the pointer has
 * left: nothing below may move under a pointer that is about to click.
 */
export function useReservedHeight(isWaiting: boolean): ReservedHeight {
  const element = useRef<HTMLElement | null>(null);
  const height = useRef(0);
  const [isReserved, setReserved] = useState(false);
  useEffect(() => {
    if (isWaiting && element.current !== null) height.current = element.current.offsetHeight;
  });
  useEffect(() => {
    if (!isReserved || isWaiting) return;
    let awaySeconds = 0;
    // Polled, because an element removed under the pointer fires no event.
    const timer = setInterval(() => {
      awaySeconds = element.current?.matches(":hover") === true ? 0 : awaySeconds + 1;
      if (awaySeconds >= RESERVED_SECONDS) setReserved(false);
    }, 1_000);
    return () => clearInterval(timer);
  }, [isReserved, isWaiting]);
  return {
    style: isReserved && !isWaiting && height.current > 0 ? { minHeight: height.current } : {},
    onPointerEnter: ({ currentTarget }) => {
      element.current = currentTarget;
      if (!isWaiting) return;
      height.current = currentTarget.offsetHeight;
      setReserved(true);
    },
    onPointerLeave: () => {
      if (isWaiting) setReserved(false);
    },
  };
}
