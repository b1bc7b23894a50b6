import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const AROUND = 18;
/** The range moves in steps, so that most scrolling renders nothing. */
const STEP = 6;

export interface VirtualRows<T extends HTMLElement> {
  /** For the parent element of the rows. */
  readonly list: RefObject<T | null>;
  readonly from: number;
  readonly to: number;
  readonly abovePx: number;
  readonly belowPx: number;
}

/** The rows of equal height near the window, and the space the others take. The page itself scrolls. */
export function useVirtualRows<T extends HTMLElement>(count: number, rowPx: number): VirtualRows<T> {
  const list = useRef<T>(null);
  const [seen, setSeen] = useState({ from: 0, to: 40 });
  const look = useCallback((): void => {
    if (list.current === null) return;
    const { top } = list.current.getBoundingClientRect();
    const from = Math.floor((-top / rowPx - AROUND) / STEP) * STEP;
    const to = Math.ceil(((innerHeight - top) / rowPx + AROUND) / STEP) * STEP;
    setSeen((before) => (before.from === from && before.to === to ? before : { from, to }));
  }, [rowPx]);
  // Not after every render, because measuring forces a layout.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that has become shorter may have moved
  useLayoutEffect(look, [look, count]);
  useEffect(() => {
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [look]);
  const from = Math.max(0, Math.min(seen.from, count - 1));
  const to = Math.max(from, Math.min(seen.to, count));
  return { list, from, to, abovePx: from * rowPx, belowPx: (count - to) * rowPx };
}
