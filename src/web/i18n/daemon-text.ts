import { createStore } from "../api/store.ts";
import { createTranslator } from "./sentences/translate.ts";

const untranslated = (text: string): string => text;

/** `useStrings` subscribes to it, so pages re-render once the catalogue is loaded. */
export const daemonTranslator = createStore<(text: string) => string>(untranslated);

/** Translates a daemon message into the page's language; unknown text stays as it is. */
export function daemonText(text: string): string {
  return daemonTranslator.get()(text);
}

let current: "en" | "ko" = "en";

/** Lazy: only pages in Korean load the catalogue. Text stays English until then, or if it cannot be loaded. */
export function loadDaemonText(language: "en" | "ko"): void {
  current = language;
  if (language === "en") {
    daemonTranslator.set(untranslated);
    return;
  }
  import("./sentences/ko.ts").then(
    ({ koSentences }) => current === "ko" && daemonTranslator.set(createTranslator(koSentences)),
    () => undefined,
  );
}
