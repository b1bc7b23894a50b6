import { useRef, useState } from "react";
import type { SessionSnapshot } from "../../serve/contract.ts";

/** The order of a list stands still while somebody points at it or is in it; what is new comes at its end. */
export function useFrozenOrder(sorted: readonly SessionSnapshot[]) {
  const [isHeld, setHeld] = useState(false);
  const order = useRef<string[]>([]);
  if (!isHeld) order.current = sorted.map(({ sessionId }) => sessionId);
  const place = new Map(order.current.map((id, index) => [id, index]));
  const items = isHeld
    ? [...sorted].sort((a, b) => (place.get(a.sessionId) ?? 1e9) - (place.get(b.sessionId) ?? 1e9))
    : sorted;
  const hold = () => setHeld(true);
  const free = () => setHeld(false);
  return { items, holders: { onPointerEnter: hold, onPointerLeave: free, onFocus: hold, onBlur: free } };
}
