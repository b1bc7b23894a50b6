import { createStore, useStore } from "../api/store.ts";
import { daemonTranslator, loadDaemonText } from "./daemon-text.ts";
import { en, type Strings } from "./en.ts";
import { ko } from "./ko.ts";
import { setLocale } from "./locale.ts";

export type Language = "en" | "ko";

const KEY = "hookline.language";
const first: Language =
  (localStorage.getItem(KEY) as Language | null) ?? (navigator.language.startsWith("ko") ? "ko" : "en");
export const language = createStore<Language>(first);
show(first);

export function setLanguage(next: Language): void {
  localStorage.setItem(KEY, next);
  show(next);
  language.set(next);
}

function show(chosen: Language): void {
  document.documentElement.lang = chosen;
  setLocale(chosen);
  loadDaemonText(chosen);
}

/** The strings of the chosen language. */
export function useStrings(): Strings {
  useStore(daemonTranslator);
  return useStore(language) === "ko" ? ko : en;
}

/** Re-exported for pages. */
export { fillText as fill } from "./fill-text.ts";
