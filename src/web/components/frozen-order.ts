import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { countOrderChanges, replaceInOrder } from "./order.ts";
import { pointerIdleMs } from "./pointer.ts";

export interface FrozenOrder<T> {
  readonly items: readonly T[];
  /** The user points at the list or has the focus in it. */
  readonly isFrozen: boolean;
  /** Rows that were added, removed or moved while it was frozen. */
  readonly updates: number;
  readonly apply: () => void;
  /** Removes an item that is over. */
  readonly drop: (key: string) => void;
  /** For the element that holds the list. */
  readonly handlers: {
    onPointerEnter(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerLeave(): void;
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

export interface FrozenOptions<T> {
  readonly keyOf: (item: T) => string;
  /** What remains of an item that is no longer listed; undefined: nothing. */
  readonly find: (key: string) => T | undefined;
  /** A change by the user applies the new order immediately. */
  readonly orderKey?: string;
  /** New items must not wait: they are appended. */
  readonly appendsNew?: boolean;
  /** The new item that replaces a removed one under another key, and gets its position. */
  readonly replacementFor?: (gone: string, come: readonly string[]) => string | undefined;
  /** How long it stays frozen after the pointer has left. */
  readonly lingerMs?: number;
  /** A pointer that has not moved for this long counts as absent. */
  readonly restMs?: number;
}

/**
 * Freezes a list while the user points at it or has the focus in it: no item is added, removed or moved under
 * the pointer, but each shows its current content.
 */
export function useFrozenOrder<T>(
  sorted: readonly T[],
  { keyOf, find, orderKey = "", appendsNew = false, replacementFor, lingerMs = 0, restMs }: FrozenOptions<T>,
): FrozenOrder<T> {
  const [isPointed, setPointed] = useState(false);
  const [isInside, setInside] = useState(false);
  const [, setRound] = useState(0);
  const list = useRef<Element | null>(null);
  useEffect(() => {
    // A focused or hovered element that is removed fires no event.
    if (isInside && list.current?.contains(document.activeElement) !== true) setInside(false);
    if (isPointed && list.current?.matches(":hover") !== true) setPointed(false);
  });
  useEffect(() => {
    if (!isPointed || restMs === undefined) return;
    const timer = setInterval(() => pointerIdleMs() >= restMs && setPointed(false), 500);
    return () => clearInterval(timer);
  }, [isPointed, restMs]);
  const isLingering = useLinger(isPointed || isInside, lingerMs);
  const order = useRef<readonly string[]>([]);
  const given = useRef(orderKey);
  const isFrozen =
    (isPointed || isInside || isLingering) && given.current === orderKey && order.current.length > 0;
  const wanted = sorted.map(keyOf);
  const listed = new Map(sorted.map((item) => [keyOf(item), item]));
  if (!isFrozen) order.current = wanted;
  else if (appendsNew) {
    if (replacementFor !== undefined) order.current = replaceInOrder(order.current, wanted, replacementFor);
    const known = new Set(order.current);
    order.current = [...order.current, ...wanted.filter((key) => !known.has(key))];
  }
  given.current = orderKey;
  const point = ({ currentTarget }: PointerEvent): void => {
    list.current = currentTarget;
    setPointed(true);
  };
  const redraw = (): void => setRound((before) => before + 1);
  return {
    items: isFrozen ? order.current.flatMap((key) => listed.get(key) ?? find(key) ?? []) : sorted,
    isFrozen,
    updates: isFrozen ? countOrderChanges(order.current, wanted) : 0,
    apply: () => {
      order.current = wanted;
      redraw();
    },
    drop: (key) => {
      order.current = order.current.filter((one) => one !== key);
      redraw();
    },
    handlers: {
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
  // In the same render in which it ends, so that there is no gap.
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
