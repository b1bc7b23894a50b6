import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { compareOrder, passPlaces } from "./order.ts";
import { pointerRestsMs } from "./pointer.ts";

export interface FrozenOrder<T> {
  readonly items: readonly T[];
  /** Somebody points at the list or is in it. */
  readonly isHeld: boolean;
  /** Rows that came, went or moved while it stood still. */
  readonly updates: number;
  readonly apply: () => void;
  /** Lets one go that is over. */
  readonly drop: (key: string) => void;
  /** For the element that holds the list. */
  readonly holders: {
    onPointerEnter(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerLeave(): void;
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

export interface FrozenOptions<T> {
  readonly keyOf: (item: T) => string;
  /** What is left of an item that is no longer listed; undefined: nothing. */
  readonly find: (key: string) => T | undefined;
  /** A person who asks for another order gets it at once. */
  readonly wish?: string;
  /** New items may not wait: they come at the end. */
  readonly takesNew?: boolean;
  /** Which of the new items is one that is gone, under another key: it gets that one's place. */
  readonly heirOf?: (gone: string, come: readonly string[]) => string | undefined;
  /** So long it still stands still after the pointer has left. */
  readonly lingerMs?: number;
  /** A pointer that has not moved for so long counts as gone. */
  readonly restMs?: number;
}

/**
 * A list stands still while somebody points at it or has the focus in it: no item comes, goes or moves under their
 * hand, and each is shown as it is by now.
 */
export function useFrozenOrder<T>(
  sorted: readonly T[],
  { keyOf, find, wish = "", takesNew = false, heirOf, lingerMs = 0, restMs }: FrozenOptions<T>,
): FrozenOrder<T> {
  const [isPointed, setPointed] = useState(false);
  const [isInside, setInside] = useState(false);
  const [, setRound] = useState(0);
  const list = useRef<Element | null>(null);
  useEffect(() => {
    // An element that had the focus or was pointed at and is removed fires no event.
    if (isInside && list.current?.contains(document.activeElement) !== true) setInside(false);
    if (isPointed && list.current?.matches(":hover") !== true) setPointed(false);
  });
  useEffect(() => {
    if (!isPointed || restMs === undefined) return;
    const timer = setInterval(() => pointerRestsMs() >= restMs && setPointed(false), 500);
    return () => clearInterval(timer);
  }, [isPointed, restMs]);
  const isLingering = useLinger(isPointed || isInside, lingerMs);
  const order = useRef<readonly string[]>([]);
  const given = useRef(wish);
  const isHeld = (isPointed || isInside || isLingering) && given.current === wish && order.current.length > 0;
  const wanted = sorted.map(keyOf);
  const listed = new Map(sorted.map((item) => [keyOf(item), item]));
  if (!isHeld) order.current = wanted;
  else if (takesNew) {
    if (heirOf !== undefined) order.current = passPlaces(order.current, wanted, heirOf);
    const known = new Set(order.current);
    order.current = [...order.current, ...wanted.filter((key) => !known.has(key))];
  }
  given.current = wish;
  const point = ({ currentTarget }: PointerEvent): void => {
    list.current = currentTarget;
    setPointed(true);
  };
  const redraw = (): void => setRound((before) => before + 1);
  return {
    items: isHeld ? order.current.flatMap((key) => listed.get(key) ?? find(key) ?? []) : sorted,
    isHeld,
    updates: isHeld ? compareOrder(order.current, wanted) : 0,
    apply: () => {
      order.current = wanted;
      redraw();
    },
    drop: (key) => {
      order.current = order.current.filter((one) => one !== key);
      redraw();
    },
    holders: {
      onPointerEnter: point,
      onPointerMove: point,
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

/** True for a while after something has ended. */
function useLinger(isOn: boolean, ms: number): boolean {
  const [isLingering, setLingering] = useState(false);
  const wasOn = useRef(isOn);
  // In the very render in which it ends, so that there is no moment between.
  const hasJustEnded = ms > 0 && wasOn.current && !isOn;
  useEffect(() => {
    const ended = wasOn.current && !isOn;
    wasOn.current = isOn;
    if (isOn) setLingering(false);
    if (!ended || ms === 0) return;
    setLingering(true);
    const timer = setTimeout(() => setLingering(false), ms);
    return () => clearTimeout(timer);
  }, [isOn, ms]);
  return !isOn && (isLingering || hasJustEnded);
}
