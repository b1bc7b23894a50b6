import { createStore, type Store, useStore } from "../api/store.ts";

/** Marks that the user puts on sessions, in this browser. */
export const starred = openMarks("hookline.starred");
/** Sessions without notifications. */
export const muted = openMarks("hookline.muted");

/** The oldest are removed first. */
const MAX_MARKS = 1_000;

export interface SessionMarks extends Store<ReadonlySet<string>> {
  toggle(sessionId: string): boolean;
}

function openMarks(key: string): SessionMarks {
  const store = createStore<ReadonlySet<string>>(read(key));
  addEventListener("storage", (event) => event.key === key && store.set(read(key)));
  return {
    ...store,
    toggle(sessionId) {
      const next = new Set(store.get());
      const isOn = !next.delete(sessionId);
      if (isOn) next.add(sessionId);
      localStorage.setItem(key, JSON.stringify([...next].slice(-MAX_MARKS)));
      store.set(next);
      return isOn;
    },
  };
}

function read(key: string): Set<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : []);
  } catch {
    return new Set();
  }
}

export function useMark(marks: SessionMarks, sessionId: string): boolean {
  return useStore(marks).has(sessionId);
}
