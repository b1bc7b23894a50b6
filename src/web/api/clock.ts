import { live } from "./live.ts";
import { createStore, useStore } from "./store.ts";

/** The time, updated once a second: all ages on a page derive from it, so they change together. */
const now = createStore(Date.now());
setInterval(() => {
  // Without a connection, ages stop increasing.
  if (!document.hidden && live.get().connection !== "lost") now.set(Date.now());
}, 1_000);
document.addEventListener("visibilitychange", () => now.set(Date.now()));

export function useNow(): number {
  return useStore(now);
}
