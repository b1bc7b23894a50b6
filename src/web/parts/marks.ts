import { createStore, type Store, useStore } from "../api/store.ts";

/** Marks that a person puts on sessions, in this browser. */
export const starred = openMarks("hookline.starred");
/** Nothing is told of these. */
export const muted = openMarks("hookline.muted");

/** The oldest go first. */
const MOST = 1_000;

export interface Marks extends Store<ReadonlySet<string>> {
  toggle(sessionId: string): boolean;
}

function openMarks(key: string): Marks {
  const store = createStore<ReadonlySet<string>>(read(key));
  addEventListener("storage", (event) => event.key === key && store.set(read(key)));
  return {
    ...store,
    toggle(sessionId) {
      const next = new Set(store.get());
      const isOn = !next.delete(sessionId);
      if (isOn) next.add(sessionId);
      localStorage.setItem(key, JSON.stringify([...next].slice(-MOST)));
      store.set(next);
      return isOn;
    },
  };
}

function read(key: string): Set<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : []);
  } catch {
    return new Set();
  }
}

export function useMark(marks: Marks, sessionId: string): boolean {
  return useStore(marks).has(sessionId);
}
