import { useRef, useState } from "react";
import type { SessionSnapshot } from "../../serve/contract.ts";

/**
 * The order of a list stands still while somebody points at it or is in it; what is new comes at its end. Who
 * wishes another order gets it at once.
 */
export function useFrozenOrder(sorted: readonly SessionSnapshot[], wish = "") {
  const [isHeld, setHeld] = useState(false);
  const order = useRef<string[]>([]);
  const given = useRef(wish);
  if (!isHeld || given.current !== wish) order.current = sorted.map(({ sessionId }) => sessionId);
  given.current = wish;
  const place = new Map(order.current.map((id, index) => [id, index]));
  const items = isHeld
    ? [...sorted].sort((a, b) => (place.get(a.sessionId) ?? 1e9) - (place.get(b.sessionId) ?? 1e9))
    : sorted;
  const hold = () => setHeld(true);
  const free = () => setHeld(false);
  return { items, holders: { onPointerEnter: hold, onPointerLeave: free, onFocus: hold, onBlur: free } };
}
