import { useEffect } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { createStore, useStore } from "../api/store.ts";
import "./toast.css";

const SHOWN_MS = 2_500;
const toast = createStore<{ readonly text: string } | null>(null);

/** Confirms an action that has no other visible effect on the page. */
export function showToast(text: string): void {
  toast.set({ text });
}

export function Toast() {
  const current = useStore(toast);
  useEffect(() => {
    if (current === null) return;
    const timer = setTimeout(() => toast.set(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <p className={`toast ${current === null ? "" : "on"}`} role="status">
      {visibleText(current?.text ?? "")}
    </p>
  );
}
