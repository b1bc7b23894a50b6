import { useEffect } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { createStore, useStore } from "../api/store.ts";
import "./told.css";

const SHOWN_MS = 2_500;
const told = createStore<{ readonly text: string } | null>(null);

/** Says in a word that something was done which nothing else on the page shows. */
export function tell(text: string): void {
  told.set({ text });
}

export function Told() {
  const now = useStore(told);
  useEffect(() => {
    if (now === null) return;
    const timer = setTimeout(() => told.set(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return (
    <p className={`toast ${now === null ? "" : "on"}`} role="status">
      {visibleText(now?.text ?? "")}
    </p>
  );
}
