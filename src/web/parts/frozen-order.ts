import { type FocusEvent, useEffect, useRef, useState } from "react";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { compareOrder } from "./order.ts";

export interface FrozenOrder {
  readonly items: readonly SessionSnapshot[];
  /** Rows that came, went or moved since it stands still. */
  readonly updates: number;
  readonly apply: () => void;
  /** For the element that holds the list. */
  readonly holders: {
    onPointerEnter(): void;
    onPointerLeave(): void;
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

/**
 * A list stands still while somebody points at it or is in it: no row comes, goes or moves under their hand, each is
 * shown as it is by now, and how much waits is told. Who wishes another order gets it at once; where what is new may
 * not wait, it comes at the end.
 */
export function useFrozenOrder(
  sorted: readonly SessionSnapshot[],
  all: ReadonlyMap<string, SessionSnapshot>,
  { wish = "", takesNew = false }: { readonly wish?: string; readonly takesNew?: boolean } = {},
): FrozenOrder {
  const [isPointed, setPointed] = useState(false);
  const [isInside, setInside] = useState(false);
  const [, setRound] = useState(0);
  const list = useRef<Element | null>(null);
  useEffect(() => {
    // What had the focus may be gone, and nobody is told of that.
    if (isInside && list.current?.contains(document.activeElement) !== true) setInside(false);
  });
  const order = useRef<readonly string[]>([]);
  const given = useRef(wish);
  // Nothing is held where nothing is shown.
  const isHeld = (isPointed || isInside) && given.current === wish && order.current.length > 0;
  const wanted = sorted.map(({ sessionId }) => sessionId);
  if (!isHeld) order.current = wanted;
  else if (takesNew) {
    const known = new Set(order.current);
    order.current = [...order.current, ...wanted.filter((id) => !known.has(id))];
  }
  given.current = wish;
  return {
    items: isHeld ? order.current.flatMap((id) => all.get(id) ?? []) : sorted,
    updates: isHeld ? compareOrder(order.current, wanted) : 0,
    apply: () => {
      order.current = wanted;
      setRound((before) => before + 1);
    },
    holders: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: ({ currentTarget }) => {
        list.current = currentTarget;
        setInside(true);
      },
      onBlur: ({ currentTarget, relatedTarget }) =>
        setInside(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
    },
  };
}
