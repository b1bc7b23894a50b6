import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const OVERSCAN_ROWS = 18;
/** The range moves in steps, so most scrolling renders nothing. */
const STEP_ROWS = 6;

export interface VirtualRows<T extends HTMLElement> {
  /** For the parent element of the rows. */
  readonly list: RefObject<T | null>;
  readonly from: number;
  readonly to: number;
  readonly abovePx: number;
  readonly belowPx: number;
}

/** Virtualizes rows of equal height in a list that scrolls with the page. */
export function useVirtualRows<T extends HTMLElement>(count: number, rowPx: number): VirtualRows<T> {
  const list = useRef<T>(null);
  const [range, setRange] = useState({ from: 0, to: 40 });
  const update = useCallback((): void => {
    if (list.current === null) return;
    const { top } = list.current.getBoundingClientRect();
    const from = Math.floor((-top / rowPx - OVERSCAN_ROWS) / STEP_ROWS) * STEP_ROWS;
    const to = Math.ceil(((innerHeight - top) / rowPx + OVERSCAN_ROWS) / STEP_ROWS) * STEP_ROWS;
    setRange((previous) => (previous.from === from && previous.to === to ? previous : { from, to }));
  }, [rowPx]);
  // Not after every render, because measuring forces a layout.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a shorter list may have moved
  useLayoutEffect(update, [update, count]);
  useEffect(() => {
    addEventListener("scroll", update, { passive: true });
    addEventListener("resize", update);
    return () => {
      removeEventListener("scroll", update);
      removeEventListener("resize", update);
    };
  }, [update]);
  const from = Math.max(0, Math.min(range.from, count - 1));
  const to = Math.max(from, Math.min(range.to, count));
  return { list, from, to, abovePx: from * rowPx, belowPx: (count - to) * rowPx };
}
