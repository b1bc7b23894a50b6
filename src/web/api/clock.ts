import { live } from "./live.ts";
import { createStore, useStore } from "./store.ts";

/** The time, once a second: ages are read off it, so that all of a page move together. */
const now = createStore(Date.now());
setInterval(() => {
  // What nothing is heard of does not grow older before our eyes.
  if (!document.hidden && live.get().connection !== "lost") now.set(Date.now());
}, 1_000);
document.addEventListener("visibilitychange", () => now.set(Date.now()));

export function useNow(): number {
  return useStore(now);
}
