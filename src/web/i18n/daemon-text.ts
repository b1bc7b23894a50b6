import { createStore } from "../api/store.ts";
import { createTranslator } from "./sentences/translate.ts";

const asIs = (text: string): string => text;

/** `useStrings` subscribes to it, so pages render again when the catalogue is there. */
export const daemonTranslator = createStore<(text: string) => string>(asIs);

/** Translates what the daemon says into the page's language; text that is not in the catalogue stays as it is. */
export function daemonText(text: string): string {
  return daemonTranslator.get()(text);
}

let wanted: "en" | "ko" = "en";

/** Lazy: only pages in Korean load the catalogue. Text stays English until then, or if it cannot be loaded. */
export function loadDaemonText(language: "en" | "ko"): void {
  wanted = language;
  if (language === "en") {
    daemonTranslator.set(asIs);
    return;
  }
  import("./sentences/ko.ts").then(
    ({ koSentences }) => wanted === "ko" && daemonTranslator.set(createTranslator(koSentences)),
    () => undefined,
  );
}
