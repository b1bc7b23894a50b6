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
  /** Removes an ended item. */
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
  /** The last known version of an item that is no longer listed, if any. */
  readonly find: (key: string) => T | undefined;
  /** When this changes, the new order applies immediately. */
  readonly orderKey?: string;
  /** Append new items even while frozen. */
  readonly appendsNew?: boolean;
  /** The new item that takes over a removed item's position. */
  readonly replacementFor?: (removed: string, added: readonly string[]) => string | undefined;
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
  const [isHovered, setHovered] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const [, forceRender] = useState(0);
  const list = useRef<Element | null>(null);
  useEffect(() => {
    // A focused or hovered element that is removed fires no event.
    if (hasFocus && list.current?.contains(document.activeElement) !== true) setHasFocus(false);
    if (isHovered && list.current?.matches(":hover") !== true) setHovered(false);
  });
  useEffect(() => {
    if (!isHovered || restMs === undefined) return;
    const timer = setInterval(() => pointerIdleMs() >= restMs && setHovered(false), 500);
    return () => clearInterval(timer);
  }, [isHovered, restMs]);
  const isLingering = useLinger(isHovered || hasFocus, lingerMs);
  const order = useRef<readonly string[]>([]);
  const lastOrderKey = useRef(orderKey);
  const isFrozen =
    (isHovered || hasFocus || isLingering) && lastOrderKey.current === orderKey && order.current.length > 0;
  const wantedOrder = sorted.map(keyOf);
  const listed = new Map(sorted.map((item) => [keyOf(item), item]));
  if (!isFrozen) order.current = wantedOrder;
  else if (appendsNew) {
    if (replacementFor !== undefined)
      order.current = replaceInOrder(order.current, wantedOrder, replacementFor);
    const known = new Set(order.current);
    order.current = [...order.current, ...wantedOrder.filter((key) => !known.has(key))];
  }
  lastOrderKey.current = orderKey;
  const onPoint = ({ currentTarget }: PointerEvent): void => {
    list.current = currentTarget;
    setHovered(true);
  };
  const rerender = (): void => forceRender((count) => count + 1);
  return {
    items: isFrozen ? order.current.flatMap((key) => listed.get(key) ?? find(key) ?? []) : sorted,
    isFrozen,
    updates: isFrozen ? countOrderChanges(order.current, wantedOrder) : 0,
    apply: () => {
      order.current = wantedOrder;
      rerender();
    },
    drop: (key) => {
      order.current = order.current.filter((other) => other !== key);
      rerender();
    },
    handlers: {
      onPointerEnter: onPoint,
      onPointerMove: onPoint,
      onPointerLeave: () => setHovered(false),
      onFocus: ({ currentTarget }) => {
        list.current = currentTarget;
        setHasFocus(true);
      },
      onBlur: ({ currentTarget, relatedTarget }) =>
        setHasFocus(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
    },
  };
}

/** True for `ms` after `isOn` turns off. */
function useLinger(isOn: boolean, ms: number): boolean {
  const [isLingering, setLingering] = useState(false);
  const wasOn = useRef(isOn);
  // True in the very render in which it ends, so there is no gap.
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
