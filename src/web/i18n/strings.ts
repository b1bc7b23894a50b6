import { createStore, useStore } from "../api/store.ts";
import { daemonTranslator, loadDaemonText } from "./daemon-text.ts";
import { en, type Strings } from "./en.ts";
import { ko } from "./ko.ts";
import { setLocale } from "./locale.ts";

export type Language = "en" | "ko";

const STORAGE_KEY = "hookline.language";
const initial: Language =
  (localStorage.getItem(STORAGE_KEY) as Language | null) ??
  (navigator.language.startsWith("ko") ? "ko" : "en");
export const language = createStore<Language>(initial);
applyLanguage(initial);

export function setLanguage(next: Language): void {
  localStorage.setItem(STORAGE_KEY, next);
  applyLanguage(next);
  language.set(next);
}

function applyLanguage(next: Language): void {
  document.documentElement.lang = next;
  setLocale(next);
  loadDaemonText(next);
}

/** The strings of the chosen language. */
export function useStrings(): Strings {
  useStore(daemonTranslator);
  return useStore(language) === "ko" ? ko : en;
}

/** Re-exported for pages. */
export { fillText as fill } from "./fill-text.ts";
